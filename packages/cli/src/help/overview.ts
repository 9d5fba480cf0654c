import { groups, pairs } from './briefs.ts'
import { globalFlagLines } from '../cli-context.ts'
import { splitGlobalFlags } from '../hoist-global-flags.ts'

/** Returns the words with `--help` behind them instead of `help` or `--help` before: `help push` is `push --help`. */
export function expandHelp(inputs: readonly string[]): string[] {
  const [first, ...others] = inputs
  if (first !== 'help' && first !== '--help' && first !== '-h') return [...inputs]
  return [...others.filter((word) => word !== first), '--help']
}

/** Returns whether the words name no command: there are none but flags of every command, or they ask for help. */
export function asksForOverview(inputs: readonly string[]): boolean {
  const [, [first, ...others]] = splitGlobalFlags(inputs)
  if (first === undefined) return true
  return ['--help', '-h'].includes(first) && splitGlobalFlags(others)[1].length === 0
}

const others = new Set(Object.values(pairs).map((pair) => pair?.other))

/** Returns the line of a command, unless another one has it. */
function lineOf(name: string, brief: string): string[] {
  if (others.has(name)) return []
  const pair = pairs[name]
  const names = pair === undefined ? name : `${name} ${pair.other}`
  return [`  ${names.padEnd(17)} ${pair?.brief ?? brief}`]
}

/** Returns the commands by subject, each with what it does. Their flags are in the help of each. */
export function renderOverview(): string {
  const lines = Object.entries(groups).flatMap(([heading, commands]) => [
    '',
    heading,
    ...Object.entries(commands).flatMap(([name, brief]) => lineOf(name, brief)),
  ])
  return [
    'Configuration and feature flags from your Signalbox server.',
    '',
    'USAGE',
    '  signalbox <command> …',
    '  signalbox help <command>   its flags, with examples',
    ...lines,
    '',
    'EVERY COMMAND TAKES',
    ...globalFlagLines,
    '',
    'EXIT CODES',
    '  0 done   1 failed   2 usage   3 cancelled   4 token or rights   5 not valid',
    '  6 changed meanwhile   7 unreachable   8 differs   9 waits   130 interrupted',
  ].join('\n')
}
