import { z } from 'zod/v4'
import { admin, adminOrKey, developerOrKey, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { integrationFields, providerProblems } from '../integrations/shapes.ts'
import { id } from '../shapes.ts'
import { progress, syncFields } from './sync-shapes.ts'

/**
 * Describes a rule that maps host environments to an environment of the organization. The first match counts. A rule without a target
 * ignores them.
 */
export const environmentRule = z
  .strictObject({
    /** Holds a glob for the name of the host environment. Example: `prod*`, `preview/*`. */
    pattern: z.string().min(1).max(255),
    /** Holds the provider's number of the repository. Default all of them. */
    repositoryId: z.string().max(200).optional(),
    /** Holds the id of our environment. `null`: deployments there are not recorded. */
    environmentId: id('env').nullable(),
  })
  .meta({ id: 'EnvironmentRule' })

/** Describes a workflow that tests deployments. */
export const testWorkflow = z
  .strictObject({
    repositoryId: z.string().max(200).optional(),
    /** Holds the provider's number, or the file's name such as `e2e.yml`. */
    workflowId: z.string().min(1).max(255),
    /** Lists the environments to test. Default all that are not production. */
    environmentIds: z.array(id('env')).max(50).optional(),
    /** Seconds for which a deployment must stay the newest of its environment before it is tested. Default 10. */
    debounceSeconds: z.number().int().min(0).max(3600).default(10),
    /** Minutes after which an unfinished run counts as timed out. Default 60. */
    deadlineMinutes: z
      .number()
      .int()
      .min(1)
      .max(24 * 60)
      .default(60),
  })
  .meta({ id: 'TestWorkflow' })

/** Describes a workflow that API keys start. */
export const keyWorkflow = z
  .strictObject({
    repositoryId: z.string().max(200),
    /** Holds the provider's number, or the file's name such as `e2e.yml`. */
    workflowId: z.string().min(1).max(255),
  })
  .meta({ id: 'KeyWorkflow' })

const repository = z
  .object({
    /** Holds the provider's number as text. It stays the same after a rename. */
    id: z.string(),
    fullName: z.string(),
    defaultBranch: z.string(),
    url: z.string(),
    tracked: z.boolean(),
  })
  .meta({ id: 'Repository' })

const hostEnvironment = z.object({
  repositoryId: z.string(),
  name: z.string(),
  environmentId: id('env').nullable(),
  mappedBy: z.enum(['rule', 'guess', 'none']),
  ignored: z.boolean(),
})

/** Describes the state of the code host's integration. */
export const codehostStatus = z
  .object({
    ...integrationFields,
    repositories: z.array(repository),
    environmentMap: z.array(environmentRule),
    hostEnvironments: z.array(hostEnvironment),
    testWorkflows: z.array(testWorkflow),
    /** Lists the workflows that API keys start. `null`: all. */
    keyWorkflows: z.array(keyWorkflow).nullable(),
  })
  .meta({ id: 'CodehostStatus' })

/** Describes the progress of a sync. */
export const sync = z
  .object({
    ...syncFields,
    repositories: progress,
    /** Counts the repositories whose webhook was checked. The total is 0 at a provider that has one webhook for all. */
    webhooks: progress,
    environments: progress,
    deployments: progress,
    /** Counts the deployments that no webhook reported. */
    missedWebhooks: z.number().int(),
  })
  .meta({ id: 'Sync' })

const base = '/organizations/{org_id}/integrations' as const

/** Declares the endpoints of the code host. */
export const codehostEndpoints = declareEndpoints({ tag: 'Integrations' })({
  getCodehost: {
    method: 'GET',
    path: `${base}/codehost`,
    summary: 'The code host integration: its state, repositories, environments and workflows.',
    access: viewerOrKey,
    response: { status: 200, body: codehostStatus },
    topics: ['integration', 'sync'],
  },
  updateCodehost: {
    method: 'PATCH',
    path: `${base}/codehost`,
    summary:
      'Choose the tracked repositories, map environments, and choose the workflows that test deployments.',
    access: adminOrKey,
    body: z.strictObject({
      repositories: z
        .array(z.strictObject({ id: z.string().max(30), tracked: z.boolean() }))
        .max(500)
        .optional(),
      environmentMap: z.array(environmentRule).max(200).optional(),
      testWorkflows: z.array(testWorkflow).max(50).optional(),
    }),
    response: { status: 200, body: codehostStatus },
    topics: ['integration', 'environment', 'deployment'],
    problems: ['integration_not_connected'],
  },
  setKeyWorkflows: {
    method: 'PUT',
    path: `${base}/codehost/key-workflows`,
    summary: 'Choose the workflows that API keys start.',
    description:
      'While it is a list, a key adds no other workflow to `testWorkflows` either. People start every workflow.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      /** `null`: all. */
      keyWorkflows: z.array(keyWorkflow).max(200).nullable(),
    }),
    response: { status: 200, body: codehostStatus },
    topics: ['integration'],
    problems: ['integration_not_connected'],
  },
  startSync: {
    method: 'POST',
    path: `${base}/codehost/sync`,
    summary: 'Fetch repositories, environments and deployments now.',
    access: developerOrKey,
    response: { status: 202, body: sync },
    topics: ['sync'],
    problems: [...providerProblems],
  },
  getSync: {
    method: 'GET',
    path: `${base}/codehost/sync/{sync_id}`,
    summary: 'The progress of a sync.',
    access: viewerOrKey,
    response: { status: 200, body: sync },
    topics: ['sync', 'integration'],
  },
})
