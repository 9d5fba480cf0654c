import type { Definition } from './definition.ts'

export async function extractDefinition(
  path: string,
  source: string,
  module: Readonly<Record<string, unknown>>,
): Promise<Definition> {
  void source
  void module
  return { path, keys: new Map(), faults: [], vendors: [] }
}
