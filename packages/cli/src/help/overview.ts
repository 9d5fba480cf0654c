import { globalFlagLines } from '../action.ts'
import type { Targets } from '../find-command.ts'
import { splitGlobalFlags } from '../hoist-global-flags.ts'
import type { routes } from '../routes.ts'

type Command = keyof typeof routes

/** Maps the headings of the overview to commands, in the order of the help. Those of the first are in the order of the README. */
export const groups = {
  'FIRST STEPS': ['demo', 'start', 'login', 'init', 'push', 'run'],
  'VALUES AND FLAGS': ['get', 'set', 'unset', 'turn', 'pull', 'promote', 'history', 'restore'],
  'THE DEFINITION': ['check', 'diff', 'types', 'import', 'scan'],
  'THE ORGANIZATION': [
    'environments',
    'segments',
    'webhooks',
    'targets',
    'service-accounts',
    'agent-tokens',
    'apply',
    'audit-log',
  ],
  PIPELINES: ['deployments', 'report'],
  'THIS MACHINE': ['whoami', 'logout', 'doctor', 'completion', 'mcp'],
  'THE SERVER': [
    'migrate',
    'export',
    'env',
    'verify-audit',
    'reset-password',
    'rotate-root-key',
    'publisher-keys',
    'replica',
    'nats-user',
  ],
} as const satisfies Readonly<Record<string, readonly Command[]>>

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

/** Returns the commands by subject, each with what it does. Their flags are in the help of each. */
export function renderOverview(targets: Targets): string {
  const lines = Object.entries(groups).flatMap(([heading, names]) => [
    '',
    heading,
    ...names.map((name) => `  ${name.padEnd(17)} ${targets[name]?.brief ?? ''}`),
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
    '  6 changed meanwhile   7 server unreachable   8 differences   130 interrupted',
  ].join('\n')
}
