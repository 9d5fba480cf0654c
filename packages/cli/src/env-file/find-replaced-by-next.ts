import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { detectDialect } from './detect-format.ts'

/** Lists the files that Next.js reads, in whichever mode. */
const modes = ['development', 'production', 'test']
const files = [
  '.env',
  '.env.local',
  ...modes.flatMap((mode) => [`.env.${mode}`, `.env.${mode}.local`]),
]

/** Describes a variable that Next.js changes. */
export interface ReplacedVariable {
  readonly name: string
  /** Names the file that sets it too. */
  readonly file: string
}

/**
 * Returns the variables of a process in whose values Next.js replaces a `$…`. It does so with each that one of its files
 * sets too, although the process has its final value already.
 */
export async function findReplacedByNext(
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<ReplacedVariable[]> {
  const names = Object.keys(variables).filter((name) => isReplacedByNext(variables[name] ?? ''))
  if (names.length === 0 || (await detectDialect(directory)) !== 'next') return []
  const replaced = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, file), 'utf8').catch(() => '')
      const assigned = parseEnv(text)
      return names.filter((name) => Object.hasOwn(assigned, name)).map((name) => ({ name, file }))
    }),
  )
  return replaced.flat()
}

/**
 * Returns whether Next.js replaces a part of a value by another variable. It goes from the last dollar to the first. A dollar
 * is a reference unless a backslash precedes it, if a name follows, with or without braces.
 */
function isReplacedByNext(value: string): boolean {
  const last = [...value.matchAll(/(?<!\\)\$/g)].at(-1)
  if (last === undefined) return false
  return /(?<!\\)\$\{?\w+(?::-[^}\\]*)?\}?/.test(value.slice(last.index))
}
