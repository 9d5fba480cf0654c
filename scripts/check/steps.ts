/** One heading of the check's output. */
export interface Step {
  readonly name: string
  /** Run one after the other; the first that fails ends the step. */
  readonly commands: readonly (readonly [program: string, ...args: string[]])[]
  /** Whether the last command is a vitest run, whose tests are counted one by one. */
  readonly tests?: boolean
  /** Whether later steps need what this one leaves behind. */
  readonly builds?: boolean
  /** A step that takes longer hangs, and is ended. */
  readonly limitMinutes: number
}

function vitest(project: string): Step['commands'][number] {
  return ['vitest', 'run', '--project', project]
}

/** Cheapest first: a slip of the pen is reported in seconds. */
export const checkSteps: readonly Step[] = [
  { name: 'format', commands: [['oxfmt', '--check']], limitMinutes: 1 },
  {
    name: 'types',
    commands: [
      ['tsc', '-b'],
      ['tsc', '-p', 'tsconfig.tests.json'],
      ['tsc', '-p', 'packages/dashboard'],
      ['node', 'scripts/build-dashboard.ts'],
      ['tsc', '-p', 'examples/next-app'],
      ['tsc', '-p', 'examples/vite-app'],
    ],
    builds: true,
    limitMinutes: 3,
  },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings']], limitMinutes: 3 },
  { name: 'unused', commands: [['knip']], limitMinutes: 2 },
  { name: 'repository', commands: [vitest('repository')], tests: true, limitMinutes: 3 },
  { name: 'code', commands: [vitest('code')], tests: true, limitMinutes: 12 },
  { name: 'provoked', commands: [vitest('provoked')], tests: true, limitMinutes: 1 },
]

/** What starts programs, browsers and builds, and then reliability and security under load and kills. */
export const proofSteps: readonly Step[] = [
  { name: 'programs', commands: [vitest('programs')], tests: true, limitMinutes: 12 },
  { name: 'browser', commands: [vitest('browser')], tests: true, limitMinutes: 8 },
  { name: 'packages', commands: [vitest('packages')], tests: true, limitMinutes: 5 },
  { name: 'dashboard', commands: [vitest('dashboard')], tests: true, limitMinutes: 30 },
  {
    name: 'applications',
    commands: [vitest('applications')],
    tests: true,
    limitMinutes: 10,
  },
  { name: 'proof', commands: [vitest('proof')], tests: true, limitMinutes: 40 },
]
