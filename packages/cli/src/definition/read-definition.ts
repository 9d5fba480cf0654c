import { readFile } from 'node:fs/promises'
import type { Session } from '../session.ts'
import type { Definition } from './definition.ts'
import { displayPath } from './find-definition.ts'
import { toLoadFailure } from './load-failure.ts'
import { loadModule } from './load-module.ts'

/** Loads a definition file and finds out what it declares. `only` names one key, because examining thousands takes a while. */
export async function readDefinition(
  session: Session,
  path: string,
  only?: string,
): Promise<Definition> {
  const startedAt = performance.now()
  const source = await readFile(path, 'utf8')
  const module = await loadModule(path).catch((error: unknown) => {
    throw toLoadFailure(displayPath(session, path), source, error)
  })
  // Only some commands read definitions; the others start faster without.
  const { extractDefinition } = await import('./extract-definition.ts')
  const definition = await extractDefinition(path, source, { module, only })
  session.output.detail(`${path} loaded in ${Math.round(performance.now() - startedAt)} ms`)
  return definition
}
