import type {
  GithubCommit,
  GithubRepository,
  GithubRun,
  GithubRunAttempt,
  GithubWorkflow,
} from './state.ts'

/** Returns the latest attempt of a run, whose status is the run's. */
export function latestAttemptOf({ attempts }: GithubRun): GithubRunAttempt {
  return attempts.at(-1) ?? attempts[0]
}

/** Returns a run with its workflow, its commit and its latest attempt. */
export function runPartsOf(
  { workflows, commits }: GithubRepository,
  run: GithubRun,
): {
  readonly run: GithubRun
  readonly attempt: GithubRunAttempt
  readonly workflow: GithubWorkflow
  readonly headCommit: GithubCommit
} {
  const workflow = workflows.get(run.workflowId)
  const headCommit = commits.get(run.headSha)
  if (workflow === undefined || headCommit === undefined) {
    throw new Error(`Run ${run.id} has lost its workflow or its commit.`)
  }
  return { run, attempt: latestAttemptOf(run), workflow, headCommit }
}
