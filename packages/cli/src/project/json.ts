import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Parses a JSON object. Returns `undefined` for any other text. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Returns whether `value` is an object with named members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a file of JSON that a person names. `undefined`: its text is no JSON. */
export async function readJsonFile(
  { cwd }: { readonly cwd: string },
  file: string,
): Promise<unknown> {
  const text = await readFile(resolve(cwd, file), 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
