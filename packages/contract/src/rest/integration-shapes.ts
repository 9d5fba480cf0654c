import { z } from 'zod'
import { author, id, time } from './shapes.ts'

/** What an integration is for, as it stands in paths, and who provides it. */
export const integrationKinds = ['codehost', 'tracker', 'chat'] as const
export type IntegrationKind = (typeof integrationKinds)[number]
export const integrationProviders = ['github', 'jira', 'slack'] as const
export type IntegrationProvider = (typeof integrationProviders)[number]

/**
 * How an integration stands. `pending`: the person was sent to the provider and has not come back. `degraded`: it works but
 * for what `stateReason` says. `reauth_required`: the provider takes our credentials no more; somebody has to connect again.
 * `suspended`: switched off at the provider's side. `disconnecting`: access ended here and is being revoked there.
 */
export const integrationStates = [
  'not_connected',
  'pending',
  'connected',
  'degraded',
  'reauth_required',
  'suspended',
  'disconnecting',
] as const
export type IntegrationState = (typeof integrationStates)[number]

/** What went wrong last, and what a person does about it. */
const lastError = z.object({
  code: z.string(),
  detail: z.string(),
  nextStep: z.string(),
  at: time,
})

const integration = {
  id: id('int').nullable(),
  provider: z.enum(integrationProviders),
  kind: z.enum(integrationKinds),
  state: z.enum(integrationStates),
  stateReason: z.string().nullable(),
  /** Whether this server has the credentials of an application at the provider. Without them nobody can connect. */
  isSetUp: z.boolean(),
  /** What to do next, in one sentence; `null` when there is nothing to do. */
  nextStep: z.string().nullable(),
  account: z.object({ id: z.string(), name: z.string(), url: z.string().nullable() }).nullable(),
  scopes: z.array(z.string()),
  /** Scopes that were asked for and not granted, each with what does not work without it. */
  missingScopes: z.array(z.object({ scope: z.string(), cost: z.string() })),
  connectedAt: time.nullable(),
  connectedBy: author.nullable(),
  /** When the provider ends the access for good, whatever is done: connect again before. */
  reconnectBefore: time.nullable(),
  /** What became of the last revocation at the provider, after a disconnection. */
  revocation: z
    .object({
      state: z.enum(['pending', 'revoked', 'failed', 'not_offered']),
      detail: z.string(),
      url: z.string().nullable(),
      at: time,
    })
    .nullable(),
  health: z.object({ lastOkAt: time.nullable(), lastError: lastError.nullable() }),
}

const repository = z
  .object({
    /** The provider's number, as text. It outlives a rename. */
    id: z.string(),
    fullName: z.string(),
    defaultBranch: z.string(),
    url: z.string(),
    tracked: z.boolean(),
  })
  .meta({ id: 'Repository' })

/** Which of our environments a host environment is. The first rule that fits counts; one without a target ignores it. */
export const environmentRule = z
  .strictObject({
    /** A glob over the name of the host environment. Example: `prod*`, `preview/*`. */
    pattern: z.string().min(1).max(255),
    /** The provider's number of the repository; left out: all of them. */
    repositoryId: z.string().max(30).optional(),
    /** `null`: deployments there are not recorded. */
    environmentId: id('env').nullable(),
  })
  .meta({ id: 'EnvironmentRule' })

const hostEnvironment = z.object({
  repositoryId: z.string(),
  name: z.string(),
  environmentId: id('env').nullable(),
  mappedBy: z.enum(['rule', 'guess', 'none']),
  ignored: z.boolean(),
})

export const testWorkflow = z
  .strictObject({
    repositoryId: z.string().max(30).optional(),
    /** The provider's number, or the file's name such as `e2e.yml`. */
    workflowId: z.string().min(1).max(255),
    /** Which environments it is run for; left out: all that are not production. */
    environmentIds: z.array(id('env')).max(50).optional(),
    /** How long a deployment must be the newest one of its environment before it is tested. Default 10. */
    debounceSeconds: z.number().int().min(0).max(3600).default(10),
    /** When a run without an end counts as timed out. Default 60. */
    deadlineMinutes: z
      .number()
      .int()
      .min(1)
      .max(24 * 60)
      .default(60),
  })
  .meta({ id: 'TestWorkflow' })

export const codehostStatus = z
  .object({
    ...integration,
    repositories: z.array(repository),
    environmentMap: z.array(environmentRule),
    hostEnvironments: z.array(hostEnvironment),
    testWorkflows: z.array(testWorkflow),
  })
  .meta({ id: 'CodehostStatus' })

const site = z.object({ id: z.string(), name: z.string(), url: z.string() })

export const trackerStatus = z
  .object({
    ...integration,
    site: site.nullable(),
    /** The sites that were granted, when there are several and none was chosen yet. */
    sites: z.array(site),
    /** `null`: all projects of the site. */
    projectKeys: z.array(z.string()).nullable(),
  })
  .meta({ id: 'TrackerStatus' })

/** Whether messages get to a channel, and what to do where they do not. */
export const channelHealth = z.object({
  state: z.enum(['ok', 'broken']),
  reason: z.string().nullable(),
  nextStep: z.string().nullable(),
})

export const chatStatus = z
  .object({
    ...integration,
    workspace: z.object({ id: z.string(), name: z.string(), url: z.string() }).nullable(),
    defaultChannelId: z.string().nullable(),
    defaultChannelName: z.string().nullable(),
    /** As that of each route; `null`: none is chosen. */
    defaultChannelHealth: channelHealth.nullable(),
  })
  .meta({ id: 'ChatStatus' })

export const workflow = z
  .object({
    id: z.string(),
    repositoryId: z.string(),
    name: z.string(),
    path: z.string(),
    state: z.string(),
    /** Whether it is active and, as far as its file or an attempt has shown, can be started by hand. */
    dispatchable: z.boolean(),
    /** What it declares to be started with; `null`: its file could not be read. */
    inputs: z
      .array(
        z.object({
          name: z.string(),
          description: z.string().nullable(),
          type: z.enum(['string', 'number', 'boolean', 'choice', 'environment', 'unknown']),
          required: z.boolean(),
          default: z.string().nullable(),
          /** Of a choice; empty for every other type. */
          options: z.array(z.string()),
        }),
      )
      .nullable(),
  })
  .meta({ id: 'Workflow' })

/**
 * How a start of a workflow stands. `requested`: the code host is being asked. `sent`: it named the run. `ambiguous`: it gave
 * no clear answer; the run is looked for, and never started again. `found`: its run was found later. `refused`: nothing was
 * started.
 */
export const workflowDispatchStates = [
  'requested',
  'sent',
  'ambiguous',
  'found',
  'refused',
] as const
export type WorkflowDispatchState = (typeof workflowDispatchStates)[number]

/** A start of a workflow that somebody asked for and that tests no deployment: one that does is a test run. */
export const workflowDispatch = z
  .object({
    id: id('dsp'),
    /** The provider's number of the repository, as text. */
    repositoryId: z.string(),
    workflowId: z.string(),
    ref: z.string(),
    state: z.enum(workflowDispatchStates),
    /** Why it was refused, or `run_not_found`. */
    reason: z.string().nullable(),
    runId: z.string().nullable(),
    runUrl: z.string().nullable(),
    requestedBy: author,
    requestedAt: time,
  })
  .meta({ id: 'WorkflowDispatch' })

export const trackerProject = z
  .object({ key: z.string(), name: z.string(), tracked: z.boolean() })
  .meta({ id: 'TrackerProject' })

export const chatChannel = z
  .object({
    id: z.string(),
    name: z.string(),
    isPrivate: z.boolean(),
    isMember: z.boolean(),
    isArchived: z.boolean(),
  })
  .meta({ id: 'ChatChannel' })

const progress = z.object({
  done: z.number().int(),
  /** As far as the provider says how many there are; `null`: it has not yet. */
  total: z.number().int().nullable(),
})

export const sync = z
  .object({
    syncId: id('syn'),
    state: z.enum(['queued', 'running', 'done', 'failed']),
    repositories: progress,
    environments: progress,
    deployments: progress,
    /** Deployments of which no webhook had told us. */
    missedWebhooks: z.number().int(),
    detail: z.string().nullable(),
    startedAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Sync' })

export const webhookDelivery = z
  .object({
    id: id('dlv'),
    provider: z.enum(integrationProviders),
    deliveryId: z.string(),
    event: z.string(),
    action: z.string().nullable(),
    state: z.enum(['received', 'processing', 'done', 'ignored', 'failed', 'dead']),
    /** Why nothing came of it, or what went wrong. */
    reason: z.string().nullable(),
    /** How it reached us: sent by the provider, fetched from its log, or repeated by a person. */
    origin: z.enum(['push', 'pull', 'replay']),
    duplicates: z.number().int(),
    attempts: z.number().int(),
    receivedAt: time,
    processedAt: time.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
