import type { StagedEnd } from '../models/code-host.ts'

/** Describes the course of a push. */
export interface Scenario {
  readonly title: string
  /** Explains it in one sentence. */
  readonly explains: string
  readonly environment: 'staging' | 'production'
  /** Selects the deployed commits: new ones on `main`, one on a branch from an older commit, or an older commit itself. */
  readonly deploys: 'new_commits' | 'commit_on_older' | 'older_commit'
  readonly ends: StagedEnd
  /** Lists the conclusion of each attempt of the tests. The last one is the run's. */
  readonly tests: readonly [StagedEnd, ...StagedEnd[]]
}

/** Lists the scenarios by name, in the order in which the page offers them. */
export const scenarios = {
  feature: {
    title: 'A feature',
    explains: 'Deploys two commits that mention issues to staging. The tests pass.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'success',
    tests: ['success'],
  },
  'tests-fail': {
    title: 'Tests that fail',
    explains: 'Deploys to staging. One of the tests fails.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'success',
    tests: ['failure'],
  },
  flaky: {
    title: 'A flaky test',
    explains: 'The tests fail, then pass on a second run of the same commit.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'success',
    tests: ['failure', 'success'],
  },
  'failing-deployment': {
    title: 'A deployment that fails',
    explains: 'The deployment to staging fails. No tests run.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'failure',
    tests: ['success'],
  },
  rollback: {
    title: 'A rollback',
    explains: 'Deploys an older commit to staging. Nothing is pushed.',
    environment: 'staging',
    deploys: 'older_commit',
    ends: 'success',
    tests: ['success'],
  },
  hotfix: {
    title: 'A hotfix',
    explains: 'Deploys one commit on top of an older release to production.',
    environment: 'production',
    deploys: 'commit_on_older',
    ends: 'success',
    tests: ['success'],
  },
} as const satisfies Readonly<Record<string, Scenario>>

/** Names a scenario. Example: `feature`. */
export type ScenarioName = keyof typeof scenarios

/** Returns whether there is such a scenario. */
export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name)
}
