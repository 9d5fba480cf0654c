import { z } from 'zod/v4'
import { id, time } from '../shapes.ts'

export const testRunStates = [
  'planned',
  'dispatching',
  'unknown',
  'queued',
  'running',
  'passed',
  'failed',
  'errored',
  'cancelled',
  'timed_out',
  'skipped',
] as const

export type TestRunState = (typeof testRunStates)[number]

export const testRun = z
  .object({
    id: id('run'),
    deploymentId: id('dep').nullable(),
    environmentId: id('env').nullable(),
    name: z.string(),
    externalId: z.string().nullable(),
    url: z.string().nullable(),
    attempt: z.number().int(),
    state: z.enum(testRunStates),
    stateReason: z.string().nullable(),
    passed: z.number().int().nullable(),
    failed: z.number().int().nullable(),
    skipped: z.number().int().nullable(),
    flaky: z.number().int().nullable(),
    durationMs: z.number().int().nullable(),
    deployedSha: z.string().nullable(),
    testedSha: z.string().nullable(),
    /** Names the deployment that went live during the run, so that it is unknown which one was tested. */
    contaminatedBy: id('dep').nullable(),
    /** Lists what a reader should know before trusting the result, one sentence each. */
    warnings: z.array(z.string()),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'TestRun' })

/** Describes a test that failed, or that passed after it had failed on the same commit. */
const doubtfulTest = z
  .object({
    suite: z.string(),
    name: z.string(),
    state: z.enum(['failed', 'flaky']),
    /** Holds the first lines of the error. */
    message: z.string().nullable(),
  })
  .meta({ id: 'DoubtfulTest' })

export const deploymentTestRun = testRun
  .extend({
    /** Lists the failed and flaky tests in reports: at most 20, failed ones first. */
    doubtfulTests: z.array(doubtfulTest),
  })
  .meta({ id: 'DeploymentTestRun' })
