import { z } from 'zod'
import type { CodehostRun, RunState } from '../codehosts/run.ts'
import { readCorrelation } from '../codehosts/correlation.ts'
import { externalId, textOrNull } from '../codehosts/fields.ts'
import { moment } from './shapes.ts'

/** Names the one thing of a project that is started: what its CI file declares. */
export const pipelineWorkflowId = 'pipeline'

const states = new Map<string, RunState>([
  ['created', 'queued'],
  ['waiting_for_resource', 'queued'],
  ['preparing', 'queued'],
  ['pending', 'queued'],
  ['scheduled', 'queued'],
  ['manual', 'queued'],
  ['running', 'running'],
  ['success', 'passed'],
  ['failed', 'failed'],
  ['canceled', 'cancelled'],
  ['canceling', 'running'],
  ['skipped', 'skipped'],
])

/** Lists the sources of a pipeline that somebody asked for: by the API, by hand, by a trigger token. */
const requestedSources: ReadonlySet<string> = new Set(['api', 'web', 'trigger'])

const variables = z
  .array(z.object({ key: z.string(), value: z.string().catch('') }))
  .nullish()
  .catch([])
const momentOrNull = moment.nullish().catch(null)

/** Parses a pipeline as the API and as a Pipeline Hook shows it. */
export const gitlabRun = z
  .object({
    id: externalId,
    sha: z.string(),
    ref: textOrNull,
    status: z.string(),
    source: textOrNull,
    name: textOrNull,
    web_url: textOrNull,
    url: textOrNull,
    variables,
    created_at: momentOrNull,
    started_at: momentOrNull,
    // In seconds. A webhook says how long, and not since when.
    duration: z.number().nonnegative().nullish().catch(null),
    finished_at: momentOrNull,
    updated_at: momentOrNull,
  })
  .transform((run): CodehostRun => {
    const texts = [run.name ?? '', ...(run.variables ?? []).map(({ value }) => value)]
    return {
      externalId: run.id,
      workflowId: pipelineWorkflowId,
      // A retried pipeline keeps its id, and GitLab counts no attempts.
      attempt: 1,
      state: states.get(run.status) ?? 'unknown',
      correlation: texts.map(readCorrelation).find((correlation) => correlation !== null) ?? null,
      isRequested: requestedSources.has(run.source ?? ''),
      isByApp: run.source === 'api',
      headSha: run.sha,
      headBranch: run.ref,
      url: run.web_url ?? run.url ?? '',
      startedAt: run.started_at ?? startOf(run),
      updatedAt: run.updated_at ?? run.finished_at ?? run.created_at ?? new Date(0),
    }
  })

function startOf({
  finished_at: finishedAt,
  duration,
}: {
  readonly finished_at?: Date | null | undefined
  readonly duration?: number | null | undefined
}): Date | null {
  if (!finishedAt || duration === null || duration === undefined) return null
  return new Date(finishedAt.getTime() - duration * 1000)
}
