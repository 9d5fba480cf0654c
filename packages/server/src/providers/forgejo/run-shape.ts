import { z } from 'zod'
import type { CodehostRun, RunState } from '../codehosts/run.ts'
import { parseForeignJson } from '../../egress/foreign-json.ts'
import { readCorrelation } from '../codehosts/correlation.ts'
import { requestedEvent } from '../codehosts/workflow.ts'
import { externalId, textOrNull } from '../codehosts/fields.ts'
import { momentOrNull } from './shapes.ts'

/** Holds a run, and when it was created. */
export interface ForgejoRun {
  readonly run: CodehostRun
  readonly createdAt: Date | null
}

/** Maps the words of both: Gitea says how it ended in a field of its own. */
const states = new Map<string, RunState>([
  ['waiting', 'queued'],
  ['blocked', 'queued'],
  ['queued', 'queued'],
  ['requested', 'queued'],
  ['pending', 'queued'],
  ['running', 'running'],
  ['in_progress', 'running'],
  ['success', 'passed'],
  ['failure', 'failed'],
  ['cancelled', 'cancelled'],
  ['skipped', 'skipped'],
])

const ended = 'completed'

/**
 * Says that no run is known to be by an application. We start runs with the access of a person, as whom we are shown: taking every
 * run of theirs for one that may be ours would claim what they started by hand. So a start without an answer is only recognized
 * by its id, which Forgejo keeps among the inputs, and Gitea in the title.
 */
const isByApp = false

function toState(status: string, conclusion: string | null): RunState {
  return states.get(status === ended ? (conclusion ?? '') : status) ?? 'unknown'
}

const dispatched = z.object({ inputs: z.record(z.string(), z.unknown()) })

/** Returns the values of the inputs of a run that was started on request. Forgejo keeps them as the text of its event. */
function inputsOf(payload: string | null): string[] {
  if (payload === null) return []
  try {
    const { data } = dispatched.safeParse(parseForeignJson(payload))
    return Object.values(data?.inputs ?? {}).filter((value) => typeof value === 'string')
  } catch {
    return []
  }
}

function correlate(texts: readonly string[]): string | null {
  return texts.map(readCorrelation).find((correlation) => correlation !== null) ?? null
}

/** Parses a run as Forgejo shows it. `prettyref` is the branch or tag. */
const runOfForgejo = z
  .object({
    id: externalId,
    title: z.string().catch(''),
    workflow_id: z.string(),
    commit_sha: z.string(),
    prettyref: textOrNull,
    trigger_event: textOrNull,
    event: textOrNull,
    event_payload: textOrNull,
    run_attempt: z.number().int().positive().nullish().catch(1),
    status: z.string(),
    html_url: z.string().catch(''),
    started: momentOrNull,
    stopped: momentOrNull,
    created: momentOrNull,
    updated: momentOrNull,
  })
  .transform((of): ForgejoRun => ({
    run: {
      externalId: of.id,
      workflowId: of.workflow_id,
      // A run that is started again keeps its id, and older versions count no attempts.
      attempt: of.run_attempt ?? 1,
      state: toState(of.status, null),
      correlation: correlate([...inputsOf(of.event_payload), of.title]),
      isRequested: (of.trigger_event ?? of.event) === requestedEvent,
      isByApp,
      headSha: of.commit_sha,
      headBranch: of.prettyref,
      url: of.html_url,
      startedAt: of.started,
      updatedAt: of.updated ?? of.stopped ?? of.created ?? new Date(0),
    },
    createdAt: of.created,
  }))

/** Parses a run as Gitea shows it. `path` is the file and the ref. Example: `e2e.yml@refs/heads/main`. */
const runOfGitea = z
  .object({
    id: externalId,
    display_title: z.string().catch(''),
    path: z.string(),
    head_sha: z.string(),
    head_branch: textOrNull,
    event: textOrNull,
    run_attempt: z.number().int().positive().nullish().catch(1),
    status: z.string(),
    conclusion: textOrNull,
    html_url: z.string().catch(''),
    created_at: momentOrNull,
    started_at: momentOrNull,
    completed_at: momentOrNull,
  })
  .transform((of): ForgejoRun => ({
    run: {
      externalId: of.id,
      workflowId: (of.path.split('@', 1)[0] ?? '').split('/').at(-1) ?? '',
      attempt: of.run_attempt ?? 1,
      state: toState(of.status, of.conclusion),
      correlation: readCorrelation(of.display_title),
      isRequested: of.event === requestedEvent,
      isByApp,
      headSha: of.head_sha,
      headBranch: of.head_branch,
      url: of.html_url,
      startedAt: of.started_at,
      updatedAt: of.completed_at ?? of.started_at ?? of.created_at ?? new Date(0),
    },
    createdAt: of.created_at ?? of.started_at,
  }))

/** Parses a run as the API and webhooks of either show it. */
export const forgejoRun = z.union([runOfForgejo, runOfGitea])
