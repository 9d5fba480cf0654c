import type {
  GithubCommit,
  GithubRepository,
  GithubRun,
  GithubRunAttempt,
  GithubWorkflow,
} from './state.ts'

/** The try that says what a run is. */
export function latestAttemptOf({ attempts }: GithubRun): GithubRunAttempt {
  return attempts.at(-1) ?? attempts[0]
}

/** A run as it is presented: with its workflow, its commit, and one of its tries, by default the last. */
export function runPartsOf(
  { workflows, commits }: GithubRepository,
  run: GithubRun,
  attempt: GithubRunAttempt = latestAttemptOf(run),
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
  return { run, attempt, workflow, headCommit }
}
