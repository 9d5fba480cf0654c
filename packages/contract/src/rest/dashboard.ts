import { z } from 'zod'
import {
  change,
  deploymentSeries,
  diagnosis,
  overview,
  searchResult,
  serverStatus,
  testRunSeries,
} from './dashboard-shapes.ts'
import { shownMessage } from './deployment-shapes.ts'
import { endpoint } from './endpoint.ts'
import { integrationKinds } from './integration-shapes.ts'
import { givenTime, id, page, pageQuery } from './shapes.ts'

/** For people and their tokens: what joins several features has no place for the restrictions of an API key. */
const viewer = { kind: 'organization', role: 'viewer', keys: 'none' } as const
const developer = { kind: 'organization', role: 'developer', keys: 'm2m' } as const
const org = '/organizations/{org_id}' as const
const overviewTag = { tag: 'Overview' } as const

const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Give a time zone such as Europe/Berlin.')
  .default('UTC')

/** By its name alone: PostgreSQL reads an offset such as `+05:30` as one to the west, as POSIX does. */
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const period = {
  /** Today and the days before it. */
  days: z.coerce.number().int().min(1).max(366).default(30),
  environmentId: id('env').optional(),
  timeZone,
}

export const dashboardEndpoints = {
  streamEvents: endpoint({
    ...overviewTag,
    rateClass: 'stream',
    operationId: 'streamEvents',
    method: 'GET',
    path: `${org}/events`,
    summary: 'Server-sent events that say what has changed: a topic and an id, for reading anew.',
    description:
      'Each event has the form `LiveEvent`. Its `id` is what `Last-Event-ID` is to be, and `GET /me` says with which one to begin; where the server does not remember as far back, one event of the topic `all` comes instead of what was missed. The stream ends with the session or token, the membership and the organization.',
    access: viewer,
    /** As the header, for the first connection of a client that had one before. */
    query: z.strictObject({ lastEventId: z.string().max(30).optional() }),
    response: { status: 200, contentType: 'text/event-stream' },
    problems: ['too_many_streams', 'overloaded', 'draining'],
  }),
  getOverview: endpoint({
    ...overviewTag,
    operationId: 'getOverview',
    method: 'GET',
    path: `${org}/overview`,
    summary: 'What is deployed where, what needs a person, and how far the set-up is.',
    access: viewer,
    response: { status: 200, body: overview },
    problems: [],
  }),
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
    problems: [],
  }),
  listChanges: endpoint({
    ...overviewTag,
    operationId: 'listChanges',
    method: 'GET',
    path: `${org}/changes`,
    summary: 'Deployments, test runs, configuration and flags as one list, newest first.',
    access: viewer,
    query: z.strictObject({
      ...pageQuery,
      environmentId: id('env').optional(),
      before: givenTime.optional(),
    }),
    response: { status: 200, body: page(change) },
    problems: ['invalid_cursor'],
  }),
  searchOrganization: endpoint({
    ...overviewTag,
    operationId: 'searchOrganization',
    method: 'GET',
    path: `${org}/search`,
    summary:
      'Where to go: at most twenty deployments, environments, schemas, keys, members and pages.',
    access: viewer,
    query: z.strictObject({ query: z.string().trim().min(1).max(100) }),
    response: { status: 200, body: z.object({ items: z.array(searchResult) }) },
    problems: [],
  }),
  diagnoseDeployments: endpoint({
    ...overviewTag,
    operationId: 'diagnoseDeployments',
    method: 'GET',
    path: `${org}/deployments/diagnosis`,
    summary: 'Why there are no deployments: what was looked into, and what to do.',
    access: viewer,
    response: { status: 200, body: diagnosis },
    problems: [],
  }),
  sendNotificationAgain: endpoint({
    operationId: 'sendNotificationAgain',
    method: 'POST',
    path: `${org}/notifications/{notification_id}/send-again`,
    tag: 'Notifications',
    summary: 'Try once more to send a message that could not be sent.',
    access: developer,
    response: { status: 202, body: shownMessage },
    problems: ['conflict', 'integration_not_connected'],
  }),
  replayWebhookDeliveries: endpoint({
    operationId: 'replayWebhookDeliveries',
    method: 'POST',
    path: `${org}/webhook-deliveries/replay`,
    tag: 'Integrations',
    summary: 'Do once more what up to 500 webhooks ask for, the oldest first.',
    access: developer,
    body: z.strictObject({
      /** `failed` includes those that were tried for the last time. */
      state: z.enum(['failed', 'ignored']),
      kind: z.enum(integrationKinds).optional(),
      event: z.string().max(100).optional(),
    }),
    response: {
      status: 202,
      body: z.object({ replayed: z.number().int(), hasMore: z.boolean() }),
    },
    problems: [],
  }),
  getServerStatus: endpoint({
    operationId: 'getServerStatus',
    method: 'GET',
    path: '/server/status',
    tag: 'Server',
    summary: 'How this server is: version, storage, queues, nodes.',
    access: { kind: 'operator' },
    response: { status: 200, body: serverStatus },
    problems: [],
  }),
} as const
