import { z } from 'zod/v4'
import { developerOrKey, org, viewerOrKey } from '../access.ts'
import { deployment } from '../deployments/shapes.ts'
import { declareEndpoints } from '../endpoint.ts'
import { givenDisplayName, id, page, pageQuery, repositoryName, time } from '../shapes.ts'
import { channelHealth } from './chat.ts'

/** Describes which messages are sent to which channel. */
export const notificationRoute = z
  .object({
    id: z.string(),
    name: z.string(),
    channelId: z.string(),
    channelName: z.string(),
    match: z.object({
      environmentIds: z.array(id('env')).nullable(),
      /** Holds full names of repositories, `*` for any text without a slash, in any case. Example: `acme/*`. */
      repositories: z.array(z.string()).nullable(),
      branches: z.array(z.string()).nullable(),
      /** Selects the states: `always`, or only failures and the first success after one. */
      states: z.enum(['always', 'failures', 'changes']),
    }),
    events: z.array(z.enum(['deployment', 'integration_attention', 'protected_configuration'])),
    /** Says whether a failure is also shown in the channel, besides the thread. */
    broadcastFailures: z.boolean(),
    health: channelHealth,
    createdAt: time,
  })
  .meta({ id: 'NotificationRoute' })

const routeFields = {
  name: givenDisplayName,
  /** Holds a channel that the app sees. One that it may not write to yet is stored, and `health` says what to change in the chat. */
  channelId: z.string().min(1).max(50),
  match: z.strictObject({
    environmentIds: z.array(id('env')).min(1).max(50).nullish(),
    repositories: z.array(repositoryName).min(1).max(50).nullish(),
    branches: z.array(z.string().min(1).max(255)).min(1).max(50).nullish(),
    states: z.enum(['always', 'failures', 'changes']).default('always'),
  }),
  events: notificationRoute.shape.events.min(1),
  broadcastFailures: z.boolean().default(false),
}

export const notificationRouteEndpoints = declareEndpoints({
  tag: 'Notifications',
  topics: ['notification_route'],
})({
  createNotificationRoute: {
    method: 'POST',
    path: `${org}/notification-routes`,
    summary:
      'Create a notification route, which sends messages about some environments, repositories, branches or states to a channel.',
    access: developerOrKey,
    body: z.strictObject(routeFields),
    response: { status: 201, body: notificationRoute },
    problems: ['integration_not_connected', 'reauth_required', 'provider_error', 'quota_exceeded'],
  },
  listNotificationRoutes: {
    method: 'GET',
    path: `${org}/notification-routes`,
    summary: 'The notification routes and their health.',
    access: viewerOrKey,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(notificationRoute) },
    topics: ['notification_route', 'notification', 'integration'],
    problems: ['invalid_cursor'],
  },
  getNotificationRoute: {
    method: 'GET',
    path: `${org}/notification-routes/{route_id}`,
    summary: 'One notification route and its health.',
    access: viewerOrKey,
    response: { status: 200, body: notificationRoute },
    topics: ['notification_route', 'notification', 'integration'],
  },
  updateNotificationRoute: {
    method: 'PATCH',
    path: `${org}/notification-routes/{route_id}`,
    summary: 'Change a notification route.',
    access: developerOrKey,
    takesResponse: true,
    body: z.strictObject(routeFields).partial(),
    response: { status: 200, body: notificationRoute },
    problems: ['integration_not_connected', 'reauth_required', 'provider_error'],
  },
  deleteNotificationRoute: {
    method: 'DELETE',
    path: `${org}/notification-routes/{route_id}`,
    summary: 'Delete a notification route.',
    access: developerOrKey,
    response: { status: 204 },
  },
  previewNotificationRoute: {
    method: 'POST',
    readsWithBody: true,
    path: `${org}/notification-routes/preview`,
    summary: 'Preview which of the last hundred deployments a route would have announced.',
    access: viewerOrKey,
    body: z.strictObject({ match: routeFields.match }),
    response: {
      status: 200,
      body: z.object({ matched: z.array(deployment), looked: z.number().int() }),
    },
    // Changes nothing.
    topics: [],
  },
})
