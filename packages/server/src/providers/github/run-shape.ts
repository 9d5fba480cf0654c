import { z } from 'zod'
import type { CodehostRun, RunState } from '../codehosts/run.ts'
import { readCorrelation } from '../codehosts/correlation.ts'
import { requestedEvent } from '../codehosts/workflow.ts'
import { externalId, textOrNull } from '../codehosts/fields.ts'
import { moment } from './shapes.ts'

/** A run that has not begun goes by several names. */
const openStates = new Map<unknown, RunState>([
  ['requested', 'queued'],
  ['waiting', 'queued'],
  ['pending', 'queued'],
  ['queued', 'queued'],
  ['in_progress', 'running'],
])

/** A conclusion that is not in the table, such as `startup_failure`, is an error. */
const endStates = new Map<unknown, RunState>([
  ['success', 'passed'],
  ['neutral', 'passed'],
  ['failure', 'failed'],
  ['timed_out', 'failed'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
])

function toState(status: unknown, conclusion: string | null): RunState {
  if (status === 'completed') return endStates.get(conclusion) ?? 'errored'
  return openStates.get(status) ?? 'unknown'
}

/**
 * Reads a run as the REST API and webhooks show it. GitHub shows no inputs of a run, so a workflow repeats the id that it was started
 * with in its title: `run-name: e2e ${{ inputs.test_run_id }}`, or `run-name: clean up ${{ inputs.dispatch_id }}`.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#run-name
 */
export const githubRun = z
  .object({
    id: externalId,
    workflow_id: externalId,
    run_attempt: z.number().int().positive().nullish().catch(1),
    event: z.string().catch('unknown'),
    status: z.unknown(),
    conclusion: textOrNull,
    head_sha: z.string(),
    head_branch: textOrNull,
    display_title: textOrNull,
    name: textOrNull,
    actor: z.object({ type: textOrNull }).nullish().catch(null),
    html_url: z.string().catch(''),
    run_started_at: moment.nullish().catch(null),
    updated_at: moment,
  })
  .transform((run): CodehostRun => ({
    externalId: run.id,
    workflowId: run.workflow_id,
    attempt: run.run_attempt ?? 1,
    state: toState(run.status, run.conclusion),
    correlation: readCorrelation(run.display_title ?? run.name ?? ''),
    isRequested: run.event === requestedEvent,
    isByApp: run.actor?.type === 'Bot',
    headSha: run.head_sha,
    headBranch: run.head_branch,
    url: run.html_url,
    startedAt: run.run_started_at ?? null,
    updatedAt: run.updated_at,
  }))
