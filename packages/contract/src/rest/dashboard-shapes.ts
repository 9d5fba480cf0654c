import { z } from 'zod'
import { tiers } from '../config.ts'
import { deploymentStates, testRunStates } from './deployment-shapes.ts'
import { author, id, time } from './shapes.ts'

/**
 * What an event of an organization's stream says has changed. `all`: something may have been missed, or anything may have
 * changed. `configuration` names the schema of which values changed in some environment; `audit_event` names nothing.
 */
export const liveTopics = [
  'all',
  'deployment',
  'test_run',
  'notification',
  'notification_route',
  'integration',
  'webhook_delivery',
  'sync',
  'workflow_dispatch',
  'configuration',
  'schema',
  'environment',
  'organization',
  'member',
  'api_key',
  'dead_job',
  'audit_event',
] as const
export type LiveTopic = (typeof liveTopics)[number]

/** The `data` of an event. Without an id: any number of that topic. Whoever reads it reads anew what it shows of it. */
export const liveEvent = z
  .object({ topic: z.enum(liveTopics), id: z.string().optional() })
  .meta({ id: 'LiveEvent' })
export type LiveEvent = z.infer<typeof liveEvent>

/**
 * Where something is mended: a button. `href` is a path of the dashboard below that of the organization, such as
 * `/integrations/chat`.
 */
export const nextStep = z
  .object({ label: z.string(), href: z.string() })
  .meta({ id: 'DashboardStep' })
export type NextStep = z.infer<typeof nextStep>

const count = z.number().int()
const date = z.iso.date()

const overviewDeployment = z.object({
  id: id('dep'),
  state: z.enum(deploymentStates),
  repository: z.string(),
  sha: z.string(),
  ref: z.string(),
  /** The first line of the commit message; `null`: not known. */
  title: z.string().nullable(),
  /** When it came to its state. */
  at: time,
})

const testSummary = z.object({
  runId: id('run'),
  state: z.enum(testRunStates),
  passed: count.nullable(),
  failed: count.nullable(),
  skipped: count.nullable(),
  flaky: count.nullable(),
  durationMs: count.nullable(),
  /** Another deployment went live meanwhile: what was tested is not known. */
  contaminated: z.boolean(),
})

export const overviewEnvironment = z.object({
  id: id('env'),
  name: z.string(),
  production: z.boolean(),
  /** The newest, whatever became of it. */
  latest: overviewDeployment.nullable(),
  /** The newest that succeeded, which is what runs there. */
  live: overviewDeployment.nullable(),
  /** The newest test run of `latest`. */
  tests: testSummary.nullable(),
  /** Required keys without a value, of all schemas. */
  missingKeys: count,
  /**
   * Public keys and flags that differ from the parent, or without one from the environment made before it. Secrets are
   * not compared. `null`: there is nothing to compare with.
   */
  drift: z.object({ environmentId: id('env'), keys: count }).nullable(),
})

export const attention = z.object({
  severity: z.enum(['error', 'warning']),
  /** Stable, for icons and tests. */
  code: z.enum([
    'integration_attention',
    'message_failed',
    'missing_keys',
    'tests_failed',
    'tests_contaminated',
    'webhooks_failed',
    'dead_jobs',
    'key_expires',
    'sync_failed',
  ]),
  /** What it is about; `null`: several, or none. */
  subjectId: z.string().nullable(),
  title: z.string(),
  detail: z.string(),
  at: time.nullable(),
  next: nextStep,
})
export type Attention = z.infer<typeof attention>

export const setupSteps = ['codehost', 'tracker', 'chat', 'schema', 'first_read'] as const

export const overview = z
  .object({
    /** In the order in which they were made. */
    environments: z.array(overviewEnvironment),
    /** Errors first, then the newest; at most 50. */
    needsYou: z.array(attention),
    setup: z.array(
      z.object({
        step: z.enum(setupSteps),
        done: z.boolean(),
        title: z.string(),
        next: nextStep,
      }),
    ),
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof overview>

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

/** One thing that changed an environment: who did it, why, what proves it, and the way back. */
export const change = z
  .object({
    kind: z.enum(['deployment', 'test_run', 'config_version', 'flag_flip']),
    /** Of the deployment, the test run or the version. */
    id: z.string(),
    at: time,
    environmentId: id('env').nullable(),
    title: z.string(),
    state: z.string().nullable(),
    author: author.nullable(),
    reason: z.object({ issueKeys: z.array(z.string()), comment: z.string().nullable() }),
    proof: z
      .object({
        runId: id('run'),
        state: z.enum(testRunStates),
        passed: count.nullable(),
        failed: count.nullable(),
      })
      .nullable(),
    wayBack: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('restore'), versionId: id('ver') }),
        z.object({ kind: z.literal('redeploy'), deploymentId: id('dep'), sha: z.string() }),
      ])
      .nullable(),
    /** Of a deployment and its test runs. */
    deployment: z
      .object({ id: id('dep'), sha: z.string(), ref: z.string(), repository: z.string() })
      .nullable(),
    /** Of versions. A secret's values are never shown; of a flag both are. */
    configuration: z
      .object({
        schemaId: id('sch'),
        schema: z.string(),
        version: count,
        /** How many keys it changed; the first twenty are shown. */
        total: count,
        changes: z.array(
          z.object({
            key: z.string(),
            tier: z.enum(tiers),
            change: z.enum(['added', 'changed', 'removed']),
            before: z.boolean().optional(),
            after: z.boolean().optional(),
          }),
        ),
      })
      .nullable(),
  })
  .meta({ id: 'Change' })
export type Change = z.infer<typeof change>

export const searchResult = z
  .object({
    kind: z.enum(['deployment', 'environment', 'schema', 'key', 'member', 'page']),
    /** What it names; of a key its schema, of a page its path. */
    id: z.string(),
    title: z.string(),
    detail: z.string().nullable(),
    href: z.string(),
  })
  .meta({ id: 'SearchResult' })
export type SearchResult = z.infer<typeof searchResult>

export const diagnosisCodes = [
  'not_set_up',
  'not_connected',
  'needs_attention',
  'no_repositories',
  'no_events',
  'webhooks_failing',
  'environments_ignored',
  'sync_failed',
] as const

/** Why a list that providers fill may be empty. */
export const diagnosis = z
  .object({
    /** In the order in which they are looked into: the first that is a problem is the one to mend first. */
    checks: z.array(
      z.object({
        code: z.enum(diagnosisCodes),
        /** `unknown`: one before it has to be mended first. */
        state: z.enum(['ok', 'problem', 'unknown']),
        title: z.string(),
        detail: z.string(),
        /** Only where there is a problem. */
        next: nextStep.nullable(),
      }),
    ),
  })
  .meta({ id: 'Diagnosis' })
export type Diagnosis = z.infer<typeof diagnosis>

export const serverStatus = z
  .object({
    version: z.string(),
    startedAt: time,
    storage: z.object({
      engine: z.enum(['embedded', 'postgres']),
      version: z.string(),
      sizeBytes: z.number(),
    }),
    /** Of the process that answers. */
    roles: z.array(z.enum(['api', 'worker', 'delivery'])),
    /** Processes of this service that are connected to the database. */
    nodes: count,
    queues: z.object({
      waiting: count,
      running: count,
      oldestWaitingSeconds: count.nullable(),
    }),
    deadJobs: count,
    /** The newest export that this server knows of. `null`: none. */
    lastBackupAt: time.nullable(),
    checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
  })
  .meta({ id: 'ServerStatus' })
