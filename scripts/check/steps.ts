import { globSync } from 'node:fs'
import { join } from 'node:path'

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
  /**
   * Lists what its tests read besides what they import or name by a path: setups, programs that they start, with all that these
   * import, and folders. A test file that was green with the same is not run again; `--all` runs it all the same.
   */
  readonly reads?: readonly string[]
}

function vitest(...projects: readonly string[]): Step['commands'][number] {
  return ['vitest', 'run', ...projects.flatMap((project) => ['--project', project])]
}

/** By two checkers, as there are cores: each reads types of its own, so the four that are usual cost half as much again. */
const tsc = (...args: readonly string[]) => ['tsc', ...args, '--checkers', '2'] as const

const database = 'test/postgres.global-setup.ts'
const answers = 'test/answered-problems.setup.ts'
/** The programs that tests start, and what puts them together. */
const programs = [
  database,
  'test/programs/server-process.global-setup.ts',
  'test/programs/command-line.global-setup.ts',
  'packages/server/src/main.ts',
  'packages/cli/src/main.ts',
  'packages/config/src/index.ts',
]
/** Lists what the pages in a browser are made of. */
const screens = [
  ...programs,
  'test/dashboard.global-setup.ts',
  'packages/dashboard',
  'docs',
  ...globSync('packages/server/src/providers/**/guide.md', {
    cwd: join(import.meta.dirname, '../..'),
  }),
]

/** Lists the checks, cheapest first: a slip of the pen is reported in seconds. */
export const checkSteps: readonly Step[] = [
  { name: 'format', commands: [['oxfmt', '--check']] },
  {
    name: 'types',
    commands: [
      tsc('-b'),
      tsc('-p', 'tsconfig.tests.json'),
      tsc('-p', 'packages/dashboard'),
      ['node', 'scripts/build-dashboard.ts'],
      ['node', 'scripts/build-pages.ts'],
      tsc('-p', 'examples/next-app'),
      tsc('-p', 'examples/vite-app'),
    ],
    builds: true,
  },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings']] },
  { name: 'unused', commands: [['knip']] },
  // They are about every file.
  { name: 'repository', commands: [vitest('repository')], tests: true, reads: ['.'] },
  { name: 'pure', commands: [vitest('pure', 'components')], tests: true, reads: [answers] },
  {
    name: 'database',
    commands: [vitest('database', 'mocking')],
    tests: true,
    reads: [database, answers],
  },
  // It is about what the tests of code were answered with just now.
  { name: 'provoked', commands: [vitest('provoked')] },
]

/** Decides which versions of everything are installed. */
const installed = ['package-lock.json', '.npmrc', 'tsconfig.base.json']

/** Lists the inputs of the tarballs and images, without the sources: a fault in those fails an earlier step as well. */
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

/** Lists what projects of users load while they are built. The applications of the step before cover the running service. */
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
  'test/testing/network/ports.ts',
]

/**
 * Lists what starts programs, browsers and builds, and then reliability and security under load and kills.
 */
export const proofSteps: readonly Step[] = [
  { name: 'programs', commands: [vitest('programs')], tests: true, reads: programs },
  {
    name: 'packages',
    commands: [vitest('packages')],
    tests: true,
    inputs: packing,
  },
  {
    name: 'browser',
    commands: [vitest('browser')],
    tests: true,
    repeatsFailed: true,
    reads: screens,
  },
  {
    name: 'dashboard',
    commands: [vitest('dashboard')],
    tests: true,
    repeatsFailed: true,
    reads: [...screens, 'test/failed-page.setup.ts'],
  },
  {
    name: 'applications',
    commands: [vitest('applications')],
    tests: true,
    repeatsFailed: true,
    reads: [...screens, 'examples', 'packages/next', 'packages/react', 'packages/vite'],
  },
  {
    name: 'templates',
    commands: [vitest('templates')],
    tests: true,
    repeatsFailed: true,
    inputs: building,
  },
  {
    name: 'proof',
    commands: [vitest('proof', 'pooled', 'storms')],
    tests: true,
    reads: [...programs, 'test/testing/first-start.global-setup.ts', 'test/pooler.setup.ts'],
  },
]
