import { z } from 'zod/v4'
import { deploymentStates } from '../../deployment-states.ts'
import { org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { nextStep } from '../next-step.ts'
import { id, time } from '../shapes.ts'
import { testRunStates } from '../test-runs/shapes.ts'

const overviewDeployment = z.object({
  id: id('dep'),
  state: z.enum(deploymentStates),
  repository: z.string(),
  sha: z.string(),
  ref: z.string(),
  /** Holds the first line of the commit message. `null`: unknown. */
  title: z.string().nullable(),
  /** Names the person or the pipeline. `null`: unknown. */
  creator: z.object({ name: z.string(), login: z.string().nullable() }).nullable(),
  /** Holds the time of its last change of state. */
  at: time,
})

const count = z.number().int()

const testSummary = z.object({
  runId: id('run'),
  state: z.enum(testRunStates),
  passed: count.nullable(),
  failed: count.nullable(),
  skipped: count.nullable(),
  flaky: count.nullable(),
  durationMs: count.nullable(),
  /** Says that another deployment went live meanwhile, so that it is unknown which one was tested. */
  contaminated: z.boolean(),
})

const keysOfSchema = z.object({ schemaId: id('sch'), schema: z.string(), count })

/** Describes an environment on the overview. */
export const overviewEnvironment = z.object({
  id: id('env'),
  name: z.string(),
  production: z.boolean(),
  /** Holds the newest deployment in any state. */
  latest: overviewDeployment.nullable(),
  /** Holds the newest success, which is live. */
  live: overviewDeployment.nullable(),
  /** Holds the newest test run of `latest`, or one that failed and was not run again under its name. */
  tests: testSummary.nullable(),
  /** Counts the required keys without a value, of all schemas. */
  missingKeys: count,
  /** Counts those keys by schema. */
  missingBySchema: z.array(keysOfSchema),
  /**
   * Counts the public keys and flags that differ from the parent, or without one from the environment created before
   * it, and are not expected to. Secrets are not compared. `null`: there is nothing to compare with.
   */
  drift: z
    .object({
      environmentId: id('env'),
      keys: count,
      /** Counts those keys by schema. */
      bySchema: z.array(keysOfSchema),
    })
    .nullable(),
})

/** Describes a repository on the overview, with what is deployed of it in each environment. */
export const overviewRepository = z.object({
  /** Holds its full name. Example: `acme/shop`. */
  repository: z.string(),
  /** Lists the environments to which it was ever deployed, in the order of their creation. */
  targets: z.array(
    z.object({
      environmentId: id('env'),
      /** Holds the newest deployment in any state. */
      latest: overviewDeployment,
      /** Holds the newest deployment that is live. */
      live: overviewDeployment.nullable(),
      /**
       * Counts the deployments that are live there, up to a hundred. More than one: the code host knows several
       * environments or tasks by that name, such as `prod-eu` and `prod-us`.
       */
      liveCount: count,
      /** Holds the newest test run of `live`, or of `latest` where nothing is live, or one that failed and was not run again under its name. */
      tests: testSummary.nullable(),
    }),
  ),
})

/** Describes something that waits for a person. */
export const attention = z.object({
  severity: z.enum(['error', 'warning']),
  /** Holds a stable code, for icons and tests. */
  code: z.enum([
    'integration_attention',
    'message_failed',
    'missing_keys',
    'approvers_missing',
    'approvers_replaced',
    'default_of_nothing',
    'flags_overdue',
    'secret_due',
    'change_waiting',
    'change_overridden',
    'change_not_restored',
    'change_not_proven',
    'signal_silent',
    'deployment_waits',
    'gate_overridden',
    'tests_failed',
    'tests_contaminated',
    'webhooks_failed',
    'outgoing_webhook_failing',
    'target_failing',
    'audit_log_waiting',
    'failed_jobs',
    'key_expires',
    'email_domain_missing',
    'sync_failed',
  ]),
  /** Names its subject; `null`: several, or none. */
  subjectId: z.string().nullable(),
  title: z.string(),
  detail: z.string(),
  at: time.nullable(),
  next: nextStep,
  /**
   * Leads to the timeline around `at`, of the environment if it is about one: a change there may be the cause. `null`: it
   * can't be, or the moment is not known.
   */
  around: nextStep.nullable(),
})

export type Attention = z.infer<typeof attention>

/** Lists the steps of setting an organization up. */
export const setupSteps = ['codehost', 'tracker', 'chat', 'schema', 'first_read'] as const

/** Describes the first page of an organization. */
export const overview = z
  .object({
    /** Lists the environments in the order of their creation. */
    environments: z.array(overviewEnvironment),
    /** Lists the repositories with deployments in any of these environments, by name; at most 100. */
    repositories: z.array(overviewRepository),
    /** Says that there are more repositories. */
    hasMoreRepositories: z.boolean(),
    /** Lists errors first, then the newest; at most 50. */
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

const overviewTag = { tag: 'Overview' } as const

export const overviewEndpoints = declareEndpoints(overviewTag)({
  getOverview: {
    method: 'GET',
    path: `${org}/overview`,
    summary:
      'The overview: live deployments by repository and environment, problems that need attention, and the steps of the set-up.',
    access: viewer,
    agents: 'read',
    response: { status: 200, body: overview },
    topics: [
      'deployment',
      'test_run',
      'notification',
      'notification_route',
      'integration',
      'sync',
      'webhook_delivery',
      'outgoing_webhook',
      'configuration',
      'schema',
      'environment',
      'member',
      'api_key',
      'failed_job',
      'change_request',
      'proof',
      'signal',
      'gate',
    ],
  },
})
