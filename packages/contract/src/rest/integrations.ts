import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  chatChannel,
  chatStatus,
  codehostStatus,
  environmentRule,
  integrationKinds,
  sync,
  testWorkflow,
  trackerProject,
  trackerStatus,
  webhookDelivery,
  workflow,
  workflowDispatch,
  workflowDispatchStates,
} from './integration-shapes.ts'
import { id, page, pageQuery, time } from './shapes.ts'

const viewer = { kind: 'organization', role: 'viewer', keys: 'm2m' } as const
const developer = { kind: 'organization', role: 'developer', keys: 'm2m' } as const
/** Connecting and disconnecting is for people who administer the organization: it needs a browser and a session. */
const admin = { kind: 'organization', role: 'admin', keys: 'none' } as const
const adminOrKey = { kind: 'organization', role: 'admin', keys: 'm2m' } as const
const base = '/organizations/{org_id}/integrations' as const
const common = { tag: 'Integrations' } as const

/** Own paths only: whoever comes back from the provider is sent there. Browsers leave control characters out of an address. */
const returnTo = z
  .string()
  .max(500)
  .regex(/^\/(?!\/)[^\\\p{Cc}]*$/u, 'Give a path of this server, such as /settings/integrations.')

const provider = ['integration_not_connected', 'reauth_required', 'provider_error'] as const

export const integrationEndpoints = {
  listIntegrations: endpoint({
    ...common,
    operationId: 'listIntegrations',
    method: 'GET',
    path: base,
    summary: 'How each integration of the organization stands.',
    access: viewer,
    response: {
      status: 200,
      body: z.object({ codehost: codehostStatus, tracker: trackerStatus, chat: chatStatus }),
    },
    problems: [],
  }),
  authorizeIntegration: endpoint({
    ...common,
    operationId: 'authorizeIntegration',
    method: 'GET',
    path: `${base}/{kind}/oauth/authorize`,
    summary:
      'Where to send the browser to connect, with a signed state that is good once, for ten minutes.',
    access: admin,
    query: z.strictObject({ returnTo: returnTo.optional() }),
    response: { status: 200, body: z.object({ url: z.string() }) },
    problems: ['provider_not_set_up'],
  }),
  finishAuthorization: endpoint({
    ...common,
    operationId: 'finishAuthorization',
    method: 'GET',
    path: '/integrations/{kind}/oauth/callback',
    summary:
      'Where the provider sends the browser back to; goes on to the dashboard, or to a page that says why not.',
    access: { kind: 'open' },
    query: z.object({
      code: z.string().max(2000).optional(),
      state: z.string().max(2000).optional(),
      error: z.string().max(200).optional(),
      installation_id: z.string().max(30).optional(),
      setup_action: z.string().max(30).optional(),
    }),
    response: {
      status: 303,
      also: { status: 400, contentType: 'text/html', when: 'A page that says why not.' },
    },
    problems: ['not_found'],
  }),
  disconnectIntegration: endpoint({
    ...common,
    operationId: 'disconnectIntegration',
    method: 'DELETE',
    path: `${base}/{kind}`,
    summary:
      'Disconnect: access ends here with the answer; the provider is asked to revoke it for three days.',
    access: admin,
    stepUp: true,
    response: { status: 204 },
    problems: [],
  }),
  getCodehost: endpoint({
    ...common,
    operationId: 'getCodehost',
    method: 'GET',
    path: `${base}/codehost`,
    summary: 'How the code host stands.',
    access: viewer,
    response: { status: 200, body: codehostStatus },
    problems: [],
  }),
  updateCodehost: endpoint({
    ...common,
    operationId: 'updateCodehost',
    method: 'PATCH',
    path: `${base}/codehost`,
    summary: 'Choose repositories, map environments and say which workflow tests a deployment.',
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
    problems: ['integration_not_connected'],
  }),
  startSync: endpoint({
    ...common,
    operationId: 'startSync',
    method: 'POST',
    path: `${base}/codehost/sync`,
    summary: 'Fetch repositories, environments and deployments now.',
    access: developer,
    response: { status: 202, body: sync },
    problems: [...provider],
  }),
  getSync: endpoint({
    ...common,
    operationId: 'getSync',
    method: 'GET',
    path: `${base}/codehost/sync/{sync_id}`,
    summary: 'How far a sync is.',
    access: viewer,
    response: { status: 200, body: sync },
    problems: [],
  }),
  listWorkflows: endpoint({
    ...common,
    operationId: 'listWorkflows',
    method: 'GET',
    path: `${base}/codehost/workflows`,
    summary: 'The workflows of the tracked repositories.',
    access: viewer,
    query: z.strictObject({ repositoryId: z.string().max(30).optional() }),
    response: { status: 200, body: z.object({ items: z.array(workflow) }) },
    problems: [...provider],
  }),
  dispatchWorkflow: endpoint({
    ...common,
    operationId: 'dispatchWorkflow',
    method: 'POST',
    path: `${base}/codehost/workflows/{workflow_id}/dispatch`,
    summary: 'Start a workflow on a branch or tag, exactly once.',
    access: developer,
    body: z.strictObject({
      ref: z.string().min(1).max(255),
      inputs: z.record(z.string().max(100), z.string().max(1024)).optional(),
      repositoryId: z.string().max(30).optional(),
      deploymentId: id('dep').optional(),
    }),
    response: {
      status: 202,
      body: z.object({
        workflowId: z.string(),
        ref: z.string(),
        state: z.enum(workflowDispatchStates),
        runId: z.string().nullable(),
        runUrl: z.string().nullable(),
        /** Where it tests a deployment: what becomes of it is shown there. */
        testRunId: id('run').nullable(),
        /** Where it tests none. */
        dispatchId: id('dsp').nullable(),
      }),
    },
    problems: [...provider, 'ref_not_found', 'workflow_not_dispatchable'],
  }),
  listDispatches: endpoint({
    ...common,
    operationId: 'listDispatches',
    method: 'GET',
    path: `${base}/codehost/dispatches`,
    summary: 'The workflows that somebody started and that test no deployment, newest first.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(workflowDispatch) },
    problems: ['invalid_cursor'],
  }),
  getDispatch: endpoint({
    ...common,
    operationId: 'getDispatch',
    method: 'GET',
    path: `${base}/codehost/dispatches/{dispatch_id}`,
    summary: 'What became of starting a workflow.',
    access: viewer,
    response: { status: 200, body: workflowDispatch },
    problems: [],
  }),
  getTracker: endpoint({
    ...common,
    operationId: 'getTracker',
    method: 'GET',
    path: `${base}/tracker`,
    summary: 'How the issue tracker stands.',
    access: viewer,
    response: { status: 200, body: trackerStatus },
    problems: [],
  }),
  updateTracker: endpoint({
    ...common,
    operationId: 'updateTracker',
    method: 'PATCH',
    path: `${base}/tracker`,
    summary: 'Choose the site and the projects whose issues count.',
    access: adminOrKey,
    body: z.strictObject({
      siteId: z.string().max(100).optional(),
      projectKeys: z
        .array(z.string().regex(/^[A-Z][A-Z0-9_]{1,9}$/, 'Give a project key such as ABC.'))
        .max(50)
        .nullish(),
    }),
    response: { status: 200, body: trackerStatus },
    problems: [...provider, 'integration_exists'],
  }),
  listTrackerProjects: endpoint({
    ...common,
    operationId: 'listTrackerProjects',
    method: 'GET',
    path: `${base}/tracker/projects`,
    summary: 'The projects of the site.',
    access: viewer,
    query: z.strictObject({ ...pageQuery, query: z.string().max(100).optional() }),
    response: { status: 200, body: page(trackerProject) },
    problems: [...provider, 'invalid_cursor'],
  }),
  enrichDeployment: endpoint({
    ...common,
    operationId: 'enrichDeployment',
    method: 'POST',
    path: `${base}/tracker/enrich-deployment`,
    summary: 'The issues that commit messages name, and which of the keys are none.',
    access: developer,
    body: z.strictObject({
      commitMessages: z.array(z.string().max(64 * 1024)).max(1000),
      deploymentId: id('dep').optional(),
    }),
    response: {
      status: 200,
      body: z.object({
        keys: z.array(z.string()),
        issues: z.array(
          z.object({
            key: z.string(),
            title: z.string(),
            type: z.string().nullable(),
            status: z.string().nullable(),
            statusCategory: z.enum(['new', 'indeterminate', 'done']).nullable(),
            assignee: z.string().nullable(),
            priority: z.string().nullable(),
            url: z.string(),
          }),
        ),
        notFound: z.array(z.string()),
        ignored: z.array(z.object({ key: z.string(), reason: z.string() })),
      }),
    },
    problems: [...provider],
  }),
  getChat: endpoint({
    ...common,
    operationId: 'getChat',
    method: 'GET',
    path: `${base}/chat`,
    summary: 'How the chat workspace stands.',
    access: viewer,
    response: { status: 200, body: chatStatus },
    problems: [],
  }),
  updateChat: endpoint({
    ...common,
    operationId: 'updateChat',
    method: 'PATCH',
    path: `${base}/chat`,
    summary:
      'Choose the channel that messages go to; one that cannot be reached is refused with what to do.',
    access: adminOrKey,
    body: z.strictObject({
      defaultChannelId: z.string().min(1).max(50),
      defaultChannelName: z.string().max(100).optional(),
    }),
    response: { status: 200, body: chatStatus },
    problems: [...provider],
  }),
  listChannels: endpoint({
    ...common,
    operationId: 'listChannels',
    method: 'GET',
    path: `${base}/chat/channels`,
    summary: 'Public channels, and the private ones that the bot was invited to.',
    access: viewer,
    query: z.strictObject({ ...pageQuery, query: z.string().max(100).optional() }),
    response: {
      status: 200,
      body: page(chatChannel).extend({ complete: z.boolean(), hint: z.string().optional() }),
    },
    problems: [...provider, 'invalid_cursor'],
  }),
  sendTestNotification: endpoint({
    ...common,
    operationId: 'sendTestNotification',
    method: 'POST',
    path: `${base}/chat/test`,
    summary: 'Post a message that says that it works.',
    access: developer,
    response: {
      status: 200,
      body: z.object({ channelId: z.string(), messageId: z.string(), postedAt: time }),
    },
    problems: [...provider, 'channel_unreachable'],
  }),
  receiveWebhook: endpoint({
    ...common,
    operationId: 'receiveWebhook',
    method: 'POST',
    path: '/webhooks/{kind}',
    summary: 'Takes what a provider tells us, signed by it; answered when it is stored.',
    access: { kind: 'open' },
    rateClass: 'none',
    bodyLimitBytes: 25 * 1024 * 1024,
    response: {
      status: 202,
      also: {
        status: 200,
        contentType: 'text/plain',
        when: 'The provider asks whether the address is ours: what it wants to hear.',
      },
    },
    problems: [
      'invalid_signature',
      'invalid_header',
      'not_found',
      'body_too_large',
      'unsupported_encoding',
      'overloaded',
    ],
  }),
  listWebhookDeliveries: endpoint({
    ...common,
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/organizations/{org_id}/webhook-deliveries',
    summary: 'What providers told us, newest first, and what came of it.',
    access: viewer,
    query: z.strictObject({
      ...pageQuery,
      state: webhookDelivery.shape.state.optional(),
      event: z.string().max(100).optional(),
      kind: z.enum(integrationKinds).optional(),
    }),
    response: { status: 200, body: page(webhookDelivery) },
    problems: ['invalid_cursor'],
  }),
  getWebhookDelivery: endpoint({
    ...common,
    operationId: 'getWebhookDelivery',
    method: 'GET',
    path: '/organizations/{org_id}/webhook-deliveries/{delivery_id}',
    summary: 'One webhook with what was sent.',
    access: developer,
    response: {
      status: 200,
      body: webhookDelivery.extend({
        headers: z.record(z.string(), z.string()),
        payload: z.unknown(),
      }),
    },
    problems: [],
  }),
  replayWebhookDelivery: endpoint({
    ...common,
    operationId: 'replayWebhookDelivery',
    method: 'POST',
    path: '/organizations/{org_id}/webhook-deliveries/{delivery_id}/replay',
    summary: 'Do once more what a webhook asks for; what is done already changes nothing.',
    access: developer,
    response: { status: 202, body: webhookDelivery },
    problems: [],
  }),
} as const
