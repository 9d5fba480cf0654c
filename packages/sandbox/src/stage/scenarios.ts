import type { DeploymentState, RunConclusion } from '../github/state.ts'

/** Describes the course of a push. */
export interface Scenario {
  readonly title: string
  /** Explains it in one sentence. */
  readonly explains: string
  readonly environment: 'staging' | 'production'
  /** Selects the deployed commits: new ones on `main`, one on a branch from an older commit, or an older commit itself. */
  readonly deploys: 'new_commits' | 'commit_on_older' | 'older_commit'
  readonly ends: Extract<DeploymentState, 'success' | 'failure'>
  /** Lists the conclusion of each attempt of the tests. The last one is the run's. */
  readonly tests: readonly [RunConclusion, ...RunConclusion[]]
}

/** Lists the scenarios by name, in the order in which the page offers them. */
export const scenarios = {
  feature: {
    title: 'A feature',
    explains: 'Two commits that name issues go live on staging, and the tests pass.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'success',
    tests: ['success'],
  },
  'tests-fail': {
    title: 'Tests that fail',
    explains: 'It goes live on staging, and one of the tests fails.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'success',
    tests: ['failure'],
  },
  flaky: {
    title: 'A flaky test',
    explains: 'The tests fail, somebody runs them again on the same commit, and they pass.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'success',
    tests: ['failure', 'success'],
  },
  'failing-deployment': {
    title: 'A deployment that fails',
    explains: 'The deployment to staging ends with a failure; nothing is tested.',
    environment: 'staging',
    deploys: 'new_commits',
    ends: 'failure',
    tests: ['success'],
  },
  rollback: {
    title: 'A rollback',
    explains: 'An older commit than the one that is live goes to staging. Nothing is pushed.',
    environment: 'staging',
    deploys: 'older_commit',
    ends: 'success',
    tests: ['success'],
  },
  hotfix: {
    title: 'A hotfix',
    explains: 'One commit on top of an older release goes live on production.',
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
