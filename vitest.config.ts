import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

declare module 'vitest' {
  export interface ProvidedContext {
    /** How many times as many random cases as in the check. */
    scale: number
  }
}

/** Random cases, of which the check runs a few and the proof twenty times as many. */
const atScale = [
  'packages/server/src/deployments/{any-order,merge-status,run-sync}.test.ts',
  'packages/server/src/http/json.test.ts',
  'packages/server/src/notifications/send-notification.test.ts',
]

/** They start programs again and again: the command line, the service, PostgreSQL, a shell, a compiler. */
const programs = [
  'packages/{cli,server}/src/commands/**/*.test.ts',
  'packages/cli/src/terminal/prompts.test.ts',
  'packages/cli/src/env-file/readers.test.ts',
  'packages/server/src/store/embedded/*.test.ts',
  'packages/*/src/types.test.ts',
]

/** They take a build of a whole application each, or an installation. */
const applications = ['e2e/{next,vite}-app*.test.ts', 'examples/**/*.test.ts']

/** In which order they are run: `scripts/check/steps.ts`. */
const projects = {
  /** About the repository itself: import rules, documents, examples in them. Needs no database. */
  repository: {
    include: ['test/*.test.ts'],
    exclude: ['test/{openapi,trouble,provoked,packages}.test.ts'],
  },
  /** Beside the code, and on a real PostgreSQL. */
  code: {
    include: ['packages/**/*.test.ts', 'test/{openapi,trouble}.test.ts'],
    exclude: programs,
    globalSetup: ['test/postgres.global-setup.ts'],
    setupFiles: ['test/answered-problems.setup.ts'],
    provide: { scale: 1 },
  },
  /** After that: has each problem code been answered by some test of code? */
  provoked: { include: ['test/provoked.test.ts'] },
  /** Beside the code as well, and most of a minute each for what their programs take to start. */
  programs: {
    include: programs,
    globalSetup: ['test/postgres.global-setup.ts', 'test/command-line.global-setup.ts'],
  },
  /** Real Chromium against the built service. */
  browser: {
    include: ['e2e/**/*.test.ts'],
    exclude: [...applications, 'e2e/dashboard/**'],
    globalSetup: ['test/postgres.global-setup.ts', 'test/dashboard.global-setup.ts'],
  },
  /** `npm run pictures`: no test, but what it shows is made as in those. */
  pictures: {
    include: ['scripts/pictures.ts'],
    globalSetup: ['test/postgres.global-setup.ts', 'test/dashboard.global-setup.ts'],
  },
  /** The packed tarballs, installed in an empty project. */
  packages: { include: ['test/packages.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
  /** The examples: built as for production and looked at in real Chromium, or installed and run. */
  applications: { include: applications },
  /** Every screen of the dashboard: its scenarios, states, roles, themes, widths, keys and hostile texts. */
  dashboard: {
    include: ['e2e/dashboard/**/*.test.ts'],
    globalSetup: ['test/postgres.global-setup.ts', 'test/dashboard.global-setup.ts'],
    // One test walks over every screen; what it waits for on each has a limit of its own.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
  /** Kills, floods and races, one file after the other, so that they do not disturb each other's figures. */
  proof: {
    include: ['test/proof/**/*.proof.ts', ...atScale],
    globalSetup: ['test/postgres.global-setup.ts'],
    provide: { scale: 20 },
    fileParallelism: false,
    testTimeout: 600_000,
  },
}

export default defineConfig({
  resolve: { conditions: ['@signalbox/source'] },
  ssr: { resolve: { conditions: ['@signalbox/source', 'node', 'default'] } },
  test: {
    // Tests wait for databases and processes more than they compute.
    maxWorkers: 2 * availableParallelism(),
    // What tests start as processes of their own is compiled once and not each time.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile') },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition that is waited for may take as long as a busy machine does; what never comes is told by then.
    expect: { poll: { timeout: 10_000 } },
    projects: Object.entries(projects).map(([name, test]) => ({
      extends: true,
      test: {
        name,
        ...test,
        exclude: ['**/node_modules/**', '**/dist/**', ...('exclude' in test ? test.exclude : [])],
      },
    })),
  },
})
