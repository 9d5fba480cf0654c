import { availableParallelism } from 'node:os'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { createImportGraph } from './scripts/check/import-graph.ts'
import { LongestFirst } from './test/longest-first.ts'
import { findTemporaryDirectory } from './test/temporary-directory.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Multiplies the cases, kills and rounds of the check: `npm run proof -- --scale N`. */
    scale: number
  }
}

const scale = Number(process.env['PROOF_SCALE'] ?? 1)

/** Random cases beside the code, which the check has run with the rest of it. A longer proof runs more of them. */
const atScale = [
  'packages/cli/src/importers/{configcat,flagsmith,growthbook,launchdarkly,posthog}/*.test.ts',
  'packages/cli/src/importers/{flagd,unleash}/random-flags.test.ts',
  'packages/contract/src/flags/write-out-segments.test.ts',
  'packages/server/src/commit-checks/checks-model.test.ts',
  'packages/server/src/configs/{proofs/proofs,requests/requests}-model.test.ts',
  'packages/server/src/gates/gates-model.test.ts',
  'packages/server/src/deployments/{reports/{any-order,merge-status},sync/run-sync}.test.ts',
  'packages/server/src/http/input/json.test.ts',
  'packages/server/src/notifications/sending/{notification-protocol,send-notification}.test.ts',
  'packages/server/src/overview/delivery-figures.test.ts',
  'packages/server/src/previews/any-order.test.ts',
  'packages/server/src/providers/chat/rendered-messages.test.ts',
  'test/decisions/same-decisions.test.ts',
]

/** They start programs again and again: the command line, PostgreSQL, NATS, a shell, a compiler; or whole services, with a sandbox. */
const programs = [
  'packages/{cli,server}/src/commands/**/*.test.ts',
  'packages/server/src/start/{assistants,guides,instances,live-events,mixes,no-inbound-address,push-to-message,relay}.test.ts',
  'packages/server/src/start/code-hosts/*.test.ts',
  'packages/server/src/nats/*.test.ts',
  'packages/cli/src/terminal/prompts.test.ts',
  'packages/cli/src/env-file/readers.test.ts',
  'packages/server/src/store/embedded/*.test.ts',
  'packages/react/src/hovers.test.ts',
  'test/programs/types.test.ts',
]

/** Tests of the store that a check repeats behind PgBouncer, and those of it and of jobs that a longer proof repeats. */
const behindPooler = 'packages/server/src/store/{transaction,idempotency}.test.ts'
const behindPoolerAtScale = [
  'packages/server/src/store/*.test.ts',
  'packages/server/src/store/follow/*.test.ts',
  'packages/server/src/jobs/*.test.ts',
]

/** Beside the code. */
const code = ['packages/**/*.test.ts', 'test/{sql,trouble}.test.ts', 'test/decisions/*.test.ts']

function listFiles(globs: readonly string[]): string[] {
  const exclude = ['**/node_modules', '**/dist']
  return globSync(globs, { cwd: import.meta.dirname, exclude }).map((path) =>
    path.replaceAll('\\', '/'),
  )
}

const { reachesAny } = createImportGraph(import.meta.dirname)

/** Lists the tests that replace modules, which only works before another file of their worker has read them. */
function listMockingTests(): string[] {
  const tests = listFiles([...code, 'test/openapi.test.ts'])
  const replacing = [...tests, ...listFiles(['packages/*/src/**/testing/**/*.ts'])].filter((path) =>
    /\bvi\.(?:m|doM)ock\(/.test(readFileSync(resolve(import.meta.dirname, path), 'utf8')),
  )
  const set = new Set(replacing)
  return tests.filter((path) => set.has(path) || reachesAny(path, set))
}
const mocking = listMockingTests()

/**
 * Lists the tests beside the code that import what opens the run's PostgreSQL, over any number of files. A file that this misses
 * fails in the project `pure`, which has no PostgreSQL.
 */
function listDatabaseTests(): string[] {
  const opener = new Set(['packages/server/src/store/testing/template-database.ts'])
  return listFiles(code).filter((path) => reachesAny(path, opener))
}
const databaseTests = listDatabaseTests()

/** They take a build of a whole application each, or an installation. */
const applications = ['e2e/{getting-started,next-app,vite-app}.test.ts']

/** The same, of projects that follow a guide, and of what the others leave out of the frameworks. */
const templates = [
  'e2e/{next,vite}-app-*.test.ts',
  'e2e/other-runtimes.test.ts',
  'examples/node-service/*.test.ts',
]

/** They flood, and what they promise is a time or a share of both cores: nothing else runs beside them. */
const storms = ['test/proof/crowds.proof.ts']

/**
 * They take minutes, and by day others carry what they prove: `.github/workflows/nightly.yml` lists both. Run at a larger scale.
 */
const nightly = ['test/proof/{dealings,patroni,poison-job,storm}.proof.ts']

/** Variations of what other tests in a browser take once. They are listed there as well. */
const nightlyInBrowser = scale > 1 ? [] : ['e2e/**/night/*.test.ts']

/** Starts the service with the dashboard of these sources, for tests in real Chromium. */
const withBrowser = [
  'test/postgres.global-setup.ts',
  'test/dashboard.global-setup.ts',
  'test/browser.global-setup.ts',
]

/** Puts the service together for the tests that start it as a process of its own. */
const withService = [
  'test/postgres.global-setup.ts',
  'test/programs/server-process.global-setup.ts',
]

/** And the data that a proof begins with. */
const withData = [...withService, 'test/testing/first-start.global-setup.ts']

/** Listens for problem codes, where the check wants to know them. */
const listeners =
  process.env['CHECK_ANSWERED_PROBLEMS'] === undefined ? [] : ['test/answered-problems.setup.ts']

/** Those of one group run side by side, where they may take equally many workers. */
const besideProofs = { maxWorkers: 3 * availableParallelism(), sequence: { groupOrder: 1 } }

/** In which order they are run: `scripts/check/steps.ts`. */
const projects = {
  /** About the repository itself: import rules, documents, examples in them. Needs no database. */
  repository: {
    include: ['bench/*.test.ts', 'test/*.test.ts', 'test/{architecture,deploy}/*.test.ts'],
    exclude: ['test/{openapi,sql,trouble,provoked,packages}.test.ts', 'test/deploy/image.test.ts'],
    // A worker reads the compiler and what the tests share once.
    isolate: false,
  },
  /** Beside the code, and without a database: `npm run test:fast`. */
  pure: {
    include: code,
    exclude: [...databaseTests, ...programs, ...mocking],
    setupFiles: listeners,
    provide: { scale: 1 },
    isolate: false,
  },
  /** Beside the code, and on a real PostgreSQL. */
  database: {
    include: databaseTests,
    exclude: [...programs, ...mocking],
    globalSetup: ['test/postgres.global-setup.ts'],
    setupFiles: listeners,
    provide: { scale: 1 },
    // A worker reads the service's modules once, and not for each of three hundred files. What a test changes, it restores.
    isolate: false,
  },
  /** Components in a page, and the examples' own tests, which the guide shows. */
  components: {
    include: [
      'packages/react/src/*.test.tsx',
      'examples/next-app/app/**/*.test.{ts,tsx}',
      'examples/vite-app/src/*.test.tsx',
    ],
    environment: 'happy-dom',
  },
  mocking: {
    include: mocking,
    globalSetup: ['test/postgres.global-setup.ts'],
    setupFiles: listeners,
  },
  /** After that: has each problem code been answered by some test of code? */
  provoked: { include: ['test/provoked.test.ts'] },
  /** Beside the code as well, and most of a minute each for what their programs take to start. */
  programs: {
    include: programs,
    globalSetup: [...withService, 'test/programs/command-line.global-setup.ts'],
    // Node loads the command line itself: it imports definitions, which a test writes.
    server: { deps: { external: [/packages\/cli\/\.cache\//] } },
    // A worker reads the service's modules once, and not for each of its tests of commands.
    isolate: false,
  },
  /** Real Chromium against the built service. */
  browser: {
    include: ['e2e/**/*.test.ts'],
    exclude: [...applications, ...templates, ...nightlyInBrowser, 'e2e/dashboard/**'],
    globalSetup: withBrowser,
    provide: { scale },
    // A worker reads the service's modules once, and starts one browser.
    isolate: false,
  },
  /** `npm run pictures`: no test, but what it shows is made as in those. */
  pictures: {
    include: ['scripts/pictures.ts'],
    globalSetup: withBrowser,
  },
  /** Tries the release itself: the packed tarballs, installed in an empty project, and the images, started. */
  packages: {
    include: ['test/packages.test.ts', 'test/deploy/image.test.ts'],
    provide: { scale },
    testTimeout: 120_000 * scale,
  },
  /** The examples: built as for production and looked at in real Chromium, or installed and run. */
  applications: { include: applications, globalSetup: ['test/browser.global-setup.ts'] },
  /** Projects of users, made of the frameworks' templates and by our guides: run when what they are made of has changed. */
  templates: { include: templates, globalSetup: ['test/browser.global-setup.ts'] },
  /** Every screen of the dashboard: its scenarios, states, roles, themes, widths, keys and hostile texts. */
  dashboard: {
    include: ['e2e/dashboard/**/*.test.ts'],
    exclude: nightlyInBrowser,
    globalSetup: withBrowser,
    setupFiles: ['test/failed-page.setup.ts'],
    provide: { scale },
    // A worker reads the service's modules once, and starts one browser.
    isolate: false,
    sequence: { groupOrder: 2 },
  },
  /**
   * Reliability and security, proven on whole services: by walks, kills and waits for limits of the product, such as a lease or a
   * timeout. They wait more than they compute, so they run side by side; their own limits are several times what they take.
   */
  proof: {
    include: ['test/proof/**/*.proof.ts', ...(scale > 1 ? atScale : [])],
    exclude: [...storms, ...(scale > 1 ? [] : nightly)],
    globalSetup: withData,
    provide: { scale },
    // A worker reads the service's modules once, and not for each of its files.
    isolate: false,
    ...besideProofs,
    testTimeout: 600_000 * scale,
  },
  /** The store's own tests once more, with PgBouncer in transaction mode in front of each database. */
  pooled: {
    include: scale > 1 ? behindPoolerAtScale : [behindPooler],
    globalSetup: ['test/postgres.global-setup.ts'],
    setupFiles: ['test/pooler.setup.ts'],
    provide: { scale: 1 },
    isolate: false,
    ...besideProofs,
  },
  /** After those, one file after the other, so that they do not disturb each other's figures. */
  storms: {
    include: storms,
    globalSetup: withData,
    provide: { scale },
    fileParallelism: false,
    sequence: { groupOrder: 3 },
    testTimeout: 600_000 * scale,
  },
}

process.env['TMPDIR'] = findTemporaryDirectory()

const conditions = ['@signalbox/source']

/** Lists the files that a check leaves out, because they were green with the same inputs. */
const keptFiles: readonly string[] =
  process.env['CHECK_KEPT_FILES'] === undefined
    ? []
    : JSON.parse(readFileSync(process.env['CHECK_KEPT_FILES'], 'utf8'))

/** Holds the settings of every project. Each has its copy: one that extends this file would read it again. */
const shared = {
  // Tests wait for databases and processes more than they compute.
  maxWorkers: 2 * availableParallelism(),
  // Programs that tests start as processes are compiled once, and not each time.
  env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile') },
  // A machine that is four times slower than ours, or does something else as well, fails nothing. A test that hangs is
  // ended by then.
  testTimeout: 120_000,
  hookTimeout: 300_000,
  // A condition that is waited for may take as long as a busy machine does; what never comes is told by then.
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  test: {
    // The steps of a check, and the next check, read what an earlier one made of the same sources.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: Object.entries(projects).map(([name, test]) => ({
      resolve: { conditions },
      ssr: { resolve: { conditions: [...conditions, 'node', 'default'] } },
      test: {
        ...shared,
        name,
        ...test,
        exclude: [
          '**/node_modules/**',
          '**/dist/**',
          ...keptFiles,
          ...('exclude' in test ? test.exclude : []),
        ],
      },
    })),
  },
})
