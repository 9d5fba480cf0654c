/** Describes one heading of the check's output. */
export interface Step {
  readonly name: string
  /** Run one after the other; the first that fails ends the step. */
  readonly commands: readonly (readonly [program: string, ...args: string[]])[]
  /** Says that the last command is a vitest run, whose tests are counted one by one. */
  readonly tests?: boolean
  /** Says that later steps need the output of this one. */
  readonly builds?: boolean
  /**
   * Says that one or two files with failed tests run once more on their own, and that the second result counts. For steps
   * that drive a real browser, where one wait of hundreds that is too short would cost the whole check. What passed only
   * the second time is listed at the end of the output, and is a defect to mend.
   */
  readonly repeatsFailed?: boolean
  /**
   * Lists the files that alone decide its outcome, as pathspecs of git. While they are what they were at its last green run
   * (`green-runs.json`), it is not run; `--all` runs it all the same. For what takes long and hardly ever changes.
   */
  readonly inputs?: readonly string[]
  /** Says that it takes `--scale N` times as long. */
  readonly scales?: boolean
  /**
   * Limits the time that it takes on two cores, in seconds: about one and a half times what it takes when they do nothing else. A
   * step that takes longer fails; one that takes three times as long hangs, and is ended.
   */
  readonly budgetSeconds: number
}

function vitest(...projects: readonly string[]): Step['commands'][number] {
  return ['vitest', 'run', ...projects.flatMap((project) => ['--project', project])]
}

/** Lists the checks, cheapest first: a slip of the pen is reported in seconds. Six minutes at most. */
export const checkSteps: readonly Step[] = [
  { name: 'format', commands: [['oxfmt', '--check']], budgetSeconds: 3 },
  {
    name: 'types',
    commands: [
      ['tsc', '-b'],
      ['tsc', '-p', 'tsconfig.tests.json'],
      ['tsc', '-p', 'packages/dashboard'],
      ['node', 'scripts/build-dashboard.ts'],
      ['node', 'scripts/build-pages.ts'],
      ['tsc', '-p', 'examples/next-app'],
      ['tsc', '-p', 'examples/vite-app'],
    ],
    builds: true,
    budgetSeconds: 44,
  },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings']], budgetSeconds: 36 },
  { name: 'unused', commands: [['knip']], budgetSeconds: 8 },
  { name: 'repository', commands: [vitest('repository')], tests: true, budgetSeconds: 48 },
  { name: 'code', commands: [vitest('code*')], tests: true, budgetSeconds: 219 },
  { name: 'provoked', commands: [vitest('provoked')], tests: true, budgetSeconds: 2 },
]

/** Decides which versions of everything are installed. */
const installed = ['package-lock.json', '.npmrc', 'tsconfig.base.json']

/** What the tarballs and images are made of: a file of source that these forget fails the steps before as well. */
const packing = [
  ...installed,
  'package.json',
  'packages/*/package.json',
  'packages/*/tsconfig.json',
  'Dockerfile',
  '.dockerignore',
  'scripts/image',
  'scripts/build-*.ts',
  'scripts/docs',
  'scripts/write-pages.ts',
  'scripts/tools/find-tool.ts',
  'test/packages.test.ts',
  'test/packed',
  'test/deploy',
  'test/architecture/source-files.ts',
]

/** What projects of users load while they are built: the service answers the applications of the step before. */
const building = [
  ...installed,
  'packages/config',
  'packages/next',
  'packages/react',
  'packages/vite',
  'packages/contract/src/*.ts',
  'packages/contract/src/flags',
  'packages/cli/src/definition',
  'packages/cli/src/init',
  'packages/cli/src/types',
  'examples',
  'docs/guide/clients.md',
  'docs/guide/next.md',
  'docs/guide/react.md',
  'docs/guide/serverless.md',
  'docs/guide/tests.md',
  'docs/guide/vite.md',
  'e2e/acme.ts',
  'e2e/browser.ts',
  'e2e/call.ts',
  'e2e/next-*.ts',
  'e2e/other-runtimes.test.ts',
  'e2e/start-service.ts',
  'e2e/template-project.ts',
  'e2e/vite-*.ts',
  'packages/server/src/commands/testing/service-program.ts',
  'test/architecture/source-files.ts',
  'test/browser.global-setup.ts',
  'test/documents/markdown-files.ts',
]

/**
 * Lists what starts programs, browsers and builds, and then reliability and security under load and kills. Together with the
 * checks they take half an hour on two cores.
 */
export const proofSteps: readonly Step[] = [
  { name: 'programs', commands: [vitest('programs')], tests: true, budgetSeconds: 400 },
  {
    name: 'packages',
    commands: [vitest('packages')],
    tests: true,
    inputs: packing,
    budgetSeconds: 150,
  },
  {
    name: 'browser',
    commands: [vitest('browser')],
    tests: true,
    repeatsFailed: true,
    budgetSeconds: 80,
  },
  {
    name: 'dashboard',
    commands: [vitest('dashboard')],
    tests: true,
    repeatsFailed: true,
    budgetSeconds: 630,
  },
  {
    name: 'applications',
    commands: [vitest('applications')],
    tests: true,
    repeatsFailed: true,
    budgetSeconds: 90,
  },
  {
    name: 'templates',
    commands: [vitest('templates')],
    tests: true,
    repeatsFailed: true,
    inputs: building,
    budgetSeconds: 180,
  },
  {
    name: 'proof',
    commands: [vitest('proof', 'pooled')],
    tests: true,
    scales: true,
    budgetSeconds: 290,
  },
  { name: 'storms', commands: [vitest('storms*')], tests: true, scales: true, budgetSeconds: 430 },
]
