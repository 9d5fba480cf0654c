import { z } from 'zod'
import { org, viewer } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { id } from '../shapes.ts'
import { testRunStates } from '../test-runs/shapes.ts'

const date = z.iso.date()
const count = z.number().int()

/** Describes deployments over time. */
export const deploymentSeries = z
  .object({
    timeZone: z.string(),
    /** One for each day, the oldest first, also where nothing happened. */
    items: z.array(
      z.object({
        date,
        deployed: count,
        failed: count,
        /** From the first commit of the range to the success. `null`: of none is that known. */
        medianLeadTimeMs: count.nullable(),
      }),
    ),
    total: z.object({
      deployed: count,
      failed: count,
      medianLeadTimeMs: count.nullable(),
      /** Failed of all that ended, 0 to 1. `null`: none ended. */
      failureRate: z.number().nullable(),
    }),
  })
  .meta({ id: 'DeploymentSeries' })

/** Describes test runs over time. */
export const testRunSeries = z
  .object({
    timeZone: z.string(),
    /** The oldest first: one for each day, or for each finished run with `per=run` (the newest 200). */
    items: z.array(
      z.object({
        date,
        /** Of `per=run` alone. */
        runId: id('run').nullable(),
        deploymentId: id('dep').nullable(),
        state: z.enum(testRunStates).nullable(),
        /** Finished runs. */
        runs: count,
        /** Runs that did not pass. */
        failedRuns: count,
        /** Tests, summed up over the runs. */
        passed: count,
        failed: count,
        skipped: count,
        flaky: count,
        /** The median of the runs; `null`: of none is it known. */
        durationMs: count.nullable(),
      }),
    ),
  })
  .meta({ id: 'TestRunSeries' })

const overviewTag = { tag: 'Overview' } as const

/** By its name alone: PostgreSQL reads an offset such as `+05:30` as one to the west, as POSIX does. */
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Give a time zone such as Europe/Berlin.')
  .default('UTC')

const period = {
  /** Today and the days before it. */
  days: z.coerce.number().int().min(1).max(366).default(30),
  environmentId: id('env').optional(),
  timeZone,
}

/** Declares the endpoints of charts. */
export const seriesEndpoints = {
  getDeploymentSeries: endpoint({
    ...overviewTag,
    operationId: 'getDeploymentSeries',
    method: 'GET',
    path: `${org}/series/deployments`,
    summary: 'How often is deployed and how long a commit takes to get there, day by day.',
    description:
      'A deployment counts on the day of its success, or of its failure. Lead time: from the first commit of the range that it brought to its success; deployments without a known range are left out, rollbacks and what was deployed before as well.',
    access: viewer,
    query: z.strictObject(period),
    response: { status: 200, body: deploymentSeries },
    topics: ['deployment', 'test_run', 'environment'],
    problems: [],
  }),
  getTestRunSeries: endpoint({
    ...overviewTag,
    operationId: 'getTestRunSeries',
    method: 'GET',
    path: `${org}/series/test-runs`,
    summary: 'What test runs came to, by day or one by one.',
    access: viewer,
    query: z.strictObject({ ...period, per: z.enum(['day', 'run']).default('day') }),
    response: { status: 200, body: testRunSeries },
    topics: ['test_run', 'deployment'],
    problems: [],
  }),
} as const
