import { z } from 'zod'
import {
  deployment,
  deploymentDetail,
  deploymentStates,
  notificationRoute,
  testRun,
  testRunStates,
} from './deployment-shapes.ts'
import { endpoint } from './endpoint.ts'
import { givenDisplayName, givenTime, id, page, pageQuery } from './shapes.ts'

const viewer = { kind: 'organization', role: 'viewer', keys: 'm2m' } as const
const developer = { kind: 'organization', role: 'developer', keys: 'm2m' } as const
const org = '/organizations/{org_id}' as const

const sha = z.string().regex(/^[0-9a-f]{7,64}$/, 'Give the hash of a commit.')
const count = z.number().int().min(0).max(10_000_000)
const link = z.url({ protocol: /^https?$/ }).max(2000)

const routeFields = {
  name: givenDisplayName,
  channelId: z.string().min(1).max(50),
  match: z.strictObject({
    environmentIds: z.array(id('env')).min(1).max(50).nullish(),
    branches: z.array(z.string().min(1).max(255)).min(1).max(50).nullish(),
    states: z.enum(['always', 'failures', 'changes']).default('always'),
  }),
  events: notificationRoute.shape.events.min(1),
  broadcastFailures: z.boolean().default(false),
}

export const deploymentEndpoints = {
  listDeployments: endpoint({
    operationId: 'listDeployments',
    method: 'GET',
    path: `${org}/deployments`,
    tag: 'Deployments',
    summary: 'The deployments, newest first.',
    access: viewer,
    query: z.strictObject({
      ...pageQuery,
      environmentId: id('env').optional(),
      branch: z.string().max(255).optional(),
      sha: sha.optional(),
      state: z.enum(deploymentStates).optional(),
      issueKey: z.string().max(50).optional(),
      from: givenTime.optional(),
      to: givenTime.optional(),
      /**
       * `exclude` leaves out what is of no interest any more: deployments that were replaced before they went live, and
       * those of environments that the code host has removed.
       */
      inactive: z.enum(['include', 'exclude']).default('include'),
    }),
    response: { status: 200, body: page(deployment) },
    problems: ['invalid_cursor'],
  }),
  getDeployment: endpoint({
    operationId: 'getDeployment',
    method: 'GET',
    path: `${org}/deployments/{deployment_id}`,
    tag: 'Deployments',
    summary: 'One deployment with its commits, issues, test runs, messages and timeline.',
    access: viewer,
    response: { status: 200, body: deploymentDetail },
    problems: [],
  }),
  createDeployment: endpoint({
    operationId: 'createDeployment',
    method: 'POST',
    path: `${org}/deployments`,
    tag: 'Deployments',
    summary:
      'Record a deployment, or a state of it, from a pipeline that the code host does not tell of.',
    access: developer,
    body: z.strictObject({
      repository: z.string().min(1).max(255),
      sha,
      ref: z.string().min(1).max(255),
      environment: z.string().min(1).max(255),
      state: z.enum(['queued', 'pending', 'in_progress', 'success', 'failure', 'error']),
      /** Names the deployment in repeats; left out, each call records one of its own. */
      externalId: z.string().min(1).max(100).optional(),
      commitMessages: z
        .array(z.string().max(64 * 1024))
        .max(1000)
        .optional(),
      url: link.optional(),
    }),
    response: { status: 201, body: deployment },
    problems: [],
  }),
  createTestRun: endpoint({
    operationId: 'createTestRun',
    method: 'POST',
    path: `${org}/test-runs`,
    tag: 'Test runs',
    summary: 'Record a test run, of a deployment or of a commit.',
    access: developer,
    body: z.strictObject({
      deploymentId: id('dep').optional(),
      environment: z.string().max(255).optional(),
      sha: sha.optional(),
      name: givenDisplayName,
      externalId: z.string().min(1).max(100).optional(),
      url: link.optional(),
    }),
    response: { status: 201, body: testRun },
    problems: [],
  }),
  listTestRuns: endpoint({
    operationId: 'listTestRuns',
    method: 'GET',
    path: `${org}/test-runs`,
    tag: 'Test runs',
    summary: 'The test runs, newest first.',
    access: viewer,
    query: z.strictObject({
      ...pageQuery,
      deploymentId: id('dep').optional(),
      environmentId: id('env').optional(),
      state: z.enum(testRunStates).optional(),
    }),
    response: { status: 200, body: page(testRun) },
    problems: ['invalid_cursor'],
  }),
  getTestRun: endpoint({
    operationId: 'getTestRun',
    method: 'GET',
    path: `${org}/test-runs/{run_id}`,
    tag: 'Test runs',
    summary: 'One test run.',
    access: viewer,
    response: { status: 200, body: testRun },
    problems: [],
  }),
  updateTestRun: endpoint({
    operationId: 'updateTestRun',
    method: 'PATCH',
    path: `${org}/test-runs/{run_id}`,
    tag: 'Test runs',
    summary: 'Report how a test run stands.',
    access: developer,
    body: z.strictObject({
      state: z.enum(['queued', 'running', 'passed', 'failed', 'errored', 'cancelled']).optional(),
      passed: count.optional(),
      failed: count.optional(),
      skipped: count.optional(),
      durationMs: count.optional(),
      url: link.optional(),
    }),
    response: { status: 200, body: testRun },
    problems: [],
  }),
  uploadTestReport: endpoint({
    operationId: 'uploadTestReport',
    method: 'POST',
    path: `${org}/test-runs/{run_id}/report`,
    tag: 'Test runs',
    summary:
      'Upload a report: CTRF as JSON, or JUnit as XML. The same bytes twice count once; shards add up.',
    access: { kind: 'open' },
    bodyLimitBytes: 20 * 1024 * 1024,
    query: z.strictObject({ shard: z.string().max(100).optional() }),
    response: { status: 200, body: testRun },
    problems: ['invalid_report', 'invalid_credentials', 'missing_credentials'],
  }),
  createNotificationRoute: endpoint({
    operationId: 'createNotificationRoute',
    method: 'POST',
    path: `${org}/notification-routes`,
    tag: 'Notifications',
    summary: 'Send messages of some environments, branches or states to a channel.',
    access: developer,
    body: z.strictObject(routeFields),
    response: { status: 201, body: notificationRoute },
    problems: ['integration_not_connected', 'reauth_required', 'provider_error', 'quota_exceeded'],
  }),
  listNotificationRoutes: endpoint({
    operationId: 'listNotificationRoutes',
    method: 'GET',
    path: `${org}/notification-routes`,
    tag: 'Notifications',
    summary: 'Where messages go, and whether they get there.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(notificationRoute) },
    problems: ['invalid_cursor'],
  }),
  updateNotificationRoute: endpoint({
    operationId: 'updateNotificationRoute',
    method: 'PATCH',
    path: `${org}/notification-routes/{route_id}`,
    tag: 'Notifications',
    summary: 'Change a route.',
    access: developer,
    body: z.strictObject(routeFields).partial(),
    response: { status: 200, body: notificationRoute },
    problems: ['integration_not_connected', 'reauth_required', 'provider_error'],
  }),
  deleteNotificationRoute: endpoint({
    operationId: 'deleteNotificationRoute',
    method: 'DELETE',
    path: `${org}/notification-routes/{route_id}`,
    tag: 'Notifications',
    summary: 'Send nothing more to a channel.',
    access: developer,
    response: { status: 204 },
    problems: [],
  }),
  previewNotificationRoute: endpoint({
    operationId: 'previewNotificationRoute',
    method: 'POST',
    readsWithBody: true,
    path: `${org}/notification-routes/preview`,
    tag: 'Notifications',
    summary: 'Which of the last hundred deployments a route would have told of.',
    access: viewer,
    body: z.strictObject({ match: routeFields.match }),
    response: {
      status: 200,
      body: z.object({ matched: z.array(deployment), looked: z.number().int() }),
    },
    problems: [],
  }),
} as const
