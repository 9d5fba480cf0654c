import { z } from 'zod/v4'
import { developer, operator, org, viewer } from './access.ts'
import { declareEndpoints } from './endpoint.ts'
import { id, page, pageQuery, time } from './shapes.ts'

/** Describes a job that failed permanently. Its data is not shown. */
const failedJob = z
  .object({
    id: id('job'),
    /** Example: `deployments.enrich`. */
    kind: z.string(),
    /** Names the subject of the job. Example: `dep_…`. `null`: nothing in particular. */
    subjectId: z.string().nullable(),
    /** Counts the attempts of its last failure. */
    attempts: z.number().int(),
    /** Counts how often it failed permanently: 1, and one more for each failed retry. */
    failures: z.number().int(),
    /**
     * `failed`: the last try ended with an error; `timed_out`: it never ended; `process_ended`: its process ended first.
     */
    cause: z.enum(['failed', 'timed_out', 'process_ended']),
    lastError: z.string(),
    failedAt: time,
    /** Holds the time of a retry. `null` in lists, which show the jobs without one. */
    retriedAt: time.nullable(),
  })
  .meta({ id: 'FailedJob' })
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

export const failedJobEndpoints = declareEndpoints({ topics: ['failed_job'] })({
  listFailedJobs: {
    ...list,
    tag: 'Failed jobs',
    path: `${org}/failed-jobs`,
    summary: 'Permanently failed jobs, newest first.',
    access: viewer,
    agents: 'read',
  },
  retryFailedJob: {
    ...retry,
    tag: 'Failed jobs',
    path: `${org}/failed-jobs/{job_id}/retry`,
    summary: 'Run a failed job again, once. It doesn’t repeat finished work.',
    access: developer,
  },
  listServerFailedJobs: {
    ...list,
    tag: 'Server',
    path: '/server/failed-jobs',
    summary: 'Permanently failed jobs of the server itself, newest first.',
    access: operator,
    topics: ['server'],
  },
  retryServerFailedJob: {
    ...retry,
    tag: 'Server',
    path: '/server/failed-jobs/{job_id}/retry',
    summary: 'Run a failed job of the server again, once.',
    access: operator,
    topics: ['server'],
  },
})
