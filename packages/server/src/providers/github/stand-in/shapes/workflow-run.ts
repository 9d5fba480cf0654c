import type { components } from '@octokit/openapi-types'
import type { GithubCommit, GithubRepository, GithubRun, GithubRunAttempt } from '../state.ts'
import type { GithubAddresses } from './addresses.ts'
import { toSimpleCommit } from './commit.ts'
import { toNodeId } from './node-id.ts'
import { fullNameOf, repositoryUrl, toMinimalRepository } from './repository.ts'
import { toSimpleUser } from './simple-user.ts'
import { toTimestamp } from './timestamp.ts'
import { workflowUrl } from './workflow.ts'

/** Holds a run with one attempt, its workflow and its commit. */
export interface RunParts {
  readonly run: GithubRun
  readonly attempt: GithubRunAttempt
  readonly workflow: { readonly id: number; readonly name: string; readonly path: string }
  readonly headCommit: GithubCommit
}

/** Returns a run as it was in one of its attempts. */
export function toWorkflowRun(
  addresses: GithubAddresses,
  repository: GithubRepository,
  { run, attempt, workflow, headCommit }: RunParts,
) {
  const { id } = run
  const base = repositoryUrl(addresses, repository)
  const url = `${base}/actions/runs/${id}`
  const minimalRepository = toMinimalRepository(addresses, repository)
  return {
    id,
    name: workflow.name,
    node_id: toNodeId('WorkflowRun', id),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: workflow.path,
    display_title: run.displayTitle,
    run_number: run.runNumber,
    event: run.event,
    status: attempt.status,
    conclusion: attempt.conclusion,
    workflow_id: run.workflowId,
    // The sandbox has no checks, so the suite has the number of the run.
    check_suite_id: id,
    check_suite_node_id: toNodeId('CheckSuite', id),
    url,
    html_url: `${addresses.web}/${fullNameOf(repository)}/actions/runs/${id}`,
    pull_requests: [],
    created_at: toTimestamp(run.createdAt),
    updated_at: toTimestamp(attempt.updatedAt),
    actor: toSimpleUser(addresses, run.actor),
    run_attempt: attempt.number,
    referenced_workflows: [],
    run_started_at: toTimestamp(attempt.startedAt),
    triggering_actor: toSimpleUser(addresses, attempt.triggeringActor),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${base}/check-suites/${id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: attempt.number > 1 ? `${url}/attempts/${attempt.number - 1}` : null,
    workflow_url: workflowUrl(addresses, repository, workflow),
    head_commit: toSimpleCommit(headCommit),
    repository: minimalRepository,
    head_repository: toMinimalRepository(addresses, run.pullRequest?.from ?? repository),
  } satisfies components['schemas']['workflow-run']
}
