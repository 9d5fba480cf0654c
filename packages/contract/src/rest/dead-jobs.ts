import { z } from 'zod'
import { developer, operator, org, viewer } from './access.ts'
import { endpoint } from './endpoint.ts'
import { id, page, pageQuery, time } from './shapes.ts'

/** Work that failed for good. What it holds besides is not shown. */
const failedJob = z
  .object({
    id: id('job'),
    /** Example: `deployments.enrich`. */
    kind: z.string(),
    /** Names the subject of the job. Example: `dep_…`. `null`: nothing in particular. */
    subjectId: z.string().nullable(),
    /** Tries of the last time. */
    attempts: z.number().int(),
    /** How often it came to this, with those times that it was run again. */
    deaths: z.number().int(),
    /**
     * `failed`: each try ended with an error; `timed_out`: the last one never ended; `process_ended`: the process that was at
     * it ended.
     */
    cause: z.enum(['failed', 'timed_out', 'process_ended']),
    lastError: z.string(),
    failedAt: time,
    /** When somebody had it run again; `null` in lists, which show what waits for somebody. */
    retriedAt: time.nullable(),
  })
  .meta({ id: 'DeadJob' })
export type FailedJobAnswer = z.input<typeof failedJob>

const list = {
  method: 'GET',
  query: z.strictObject(pageQuery),
  response: { status: 200, body: page(failedJob) },
  problems: ['invalid_cursor'],
} as const
const retry = {
  method: 'POST',
  response: { status: 202, body: failedJob },
  problems: ['not_found', 'conflict'],
} as const

/** Declares the endpoints of failed jobs. */
export const failedJobEndpoints = {
  listDeadJobs: endpoint({
    ...list,
    tag: 'Dead jobs',
    operationId: 'listDeadJobs',
    path: `${org}/dead-jobs`,
    summary: 'Work that failed for good and waits for somebody, newest first.',
    access: viewer,
    topics: ['dead_job'],
  }),
  retryDeadJob: endpoint({
    ...retry,
    tag: 'Dead jobs',
    operationId: 'retryDeadJob',
    path: `${org}/dead-jobs/{job_id}/retry`,
    summary: 'Put it back into its queue, once; what is done already changes nothing.',
    access: developer,
    topics: ['dead_job'],
  }),
  listServerDeadJobs: endpoint({
    ...list,
    tag: 'Server',
    operationId: 'listServerDeadJobs',
    path: '/server/dead-jobs',
    summary: 'The same, of work that belongs to no organization.',
    access: operator,
    topics: ['server'],
  }),
  retryServerDeadJob: endpoint({
    ...retry,
    tag: 'Server',
    operationId: 'retryServerDeadJob',
    path: '/server/dead-jobs/{job_id}/retry',
    summary: 'Put work of the server back into its queue, once.',
    access: operator,
    topics: ['server'],
  }),
} as const
