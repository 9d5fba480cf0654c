import { z } from 'zod/v4'
import { org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { id, repositoryName } from '../shapes.ts'
import { testRunStates } from '../test-runs/shapes.ts'

const date = z.iso.date()
const count = z.number().int()

/** Describes deployments over time. */
export const deploymentSeries = z
  .object({
    timeZone: z.string(),
    /** Lists every day, oldest first, also days without deployments. */
    items: z.array(
      z.object({
        date,
        deployed: count,
        failed: count,
        /** Measures from the first commit of the range to the success. `null`: unknown for all of them. */
        medianLeadTimeMs: count.nullable(),
      }),
    ),
    total: z.object({
      deployed: count,
      failed: count,
      medianLeadTimeMs: count.nullable(),
      /** Holds the share of `failed`, 0 to 1. `null`: none has ended. The change fail rate counts what was undone later too. */
      failureRate: z.number().nullable(),
    }),
  })
  .meta({ id: 'DeploymentSeries' })

/** Describes test runs over time. */
export const testRunSeries = z
  .object({
    timeZone: z.string(),
    /** Lists each day, oldest first, or each finished run with `per=run` (the newest 200). */
    items: z.array(
      z.object({
        date,
        /** Present only with `per=run`. */
        runId: id('run').nullable(),
        deploymentId: id('dep').nullable(),
        state: z.enum(testRunStates).nullable(),
        /** Counts the finished runs. */
        runs: count,
        /** Counts the runs that did not pass. */
        failedRuns: count,
        /** Counts the tests of all runs. */
        passed: count,
        failed: count,
        skipped: count,
        flaky: count,
        /** Holds the median of the runs. `null`: unknown for all of them. */
        durationMs: count.nullable(),
      }),
    ),
  })
  .meta({ id: 'TestRunSeries' })

const overviewTag = { tag: 'Overview' } as const

/** Accepts only names: PostgreSQL reads an offset such as `+05:30` as one to the west, as POSIX does. */
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
  .refine(isTimeZone, 'Use a time zone such as Europe/Berlin.')
  .default('UTC')

const period = {
  /** Counts the days, today included. */
  days: z.coerce.number().int().min(1).max(366).default(30),
  environmentId: id('env').optional(),
  repository: repositoryName.optional(),
  timeZone,
}

/** Declares the endpoints of charts. */
export const seriesEndpoints = declareEndpoints(overviewTag)({
  getDeploymentSeries: {
    method: 'GET',
    path: `${org}/series/deployments`,
    summary: 'Deployments and lead times by day.',
    description:
      'A deployment counts on the day of its success or failure. The lead time is the time from the first commit of its range to its success. Rollbacks, repeated deployments and deployments without a known range have no lead time.',
    access: viewer,
    query: z.strictObject(period),
    response: { status: 200, body: deploymentSeries },
    topics: ['deployment', 'test_run', 'environment'],
  },
  getTestRunSeries: {
    method: 'GET',
    path: `${org}/series/test-runs`,
    summary: 'The results of test runs, by day or one by one.',
    access: viewer,
    query: z.strictObject({ ...period, per: z.enum(['day', 'run']).default('day') }),
    response: { status: 200, body: testRunSeries },
    topics: ['test_run', 'deployment'],
  },
})
