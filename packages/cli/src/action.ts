import type { CliContext, GlobalFlags } from './cli-context.ts'
import { openSession, type Session } from './session.ts'

type Work<FLAGS extends GlobalFlags, ARGS extends readonly unknown[]> = (
  session: Session,
  flags: FLAGS,
  ...args: ARGS
) => Promise<void | { readonly exitWith: number | NodeJS.Signals }>

/** Wraps a command's work for stricli: it opens the session and passes an exit code on. */
export function action<FLAGS extends GlobalFlags, ARGS extends readonly unknown[] = []>(
  work: Work<FLAGS, ARGS>,
): (this: CliContext, flags: FLAGS, ...args: ARGS) => Promise<void> {
  return async function (this: CliContext, flags: FLAGS, ...args: ARGS) {
    const result = await work(openSession(flags), flags, ...args)
    if (result !== undefined) this.exitWith = result.exitWith
  }
}

const helpColumns = 92

/** Lists the flags of every command, for the help of each. Most are hidden in its usage, which they would fill. */
export const globalFlagLines = [
  '  --json --yes --dry-run --quiet --verbose --no-color',
  '  --cwd <dir> --config <file> --profile <name> --server <url> --token-stdin',
] as const

/** Returns the long help of a command: a paragraph, then examples. */
export function describe(paragraph: string, examples: readonly string[]): string {
  return [
    ...wrapWords(paragraph),
    '',
    'EXAMPLES',
    ...examples.map((example) => `  ${example}`),
    '',
    'EVERY COMMAND TAKES',
    ...globalFlagLines,
  ].join('\n')
}

function wrapWords(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length >= helpColumns) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
