import {
  dashboardEndpoints,
  deploymentEndpoints as endpoints,
  integrationEndpoints,
  type ResponseOf,
} from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import type { Tx } from '../store/store.ts'
import { toOrganizationCaller } from '../integrations/organization-caller.ts'
import { presentMessage } from '../deployments/present-message.ts'
import { explainRouteHealth } from './explain-chat-error.ts'
import { presentChannelHealth } from './present-chat.ts'
import { previewRoute } from './match-route.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { requireEnvironments } from './require-environments.ts'
import { pageRouteRows, type RouteRow } from './route-rows.ts'
import { createRoute, deleteRoute, toMatch, updateRoute } from './save-route.ts'
import { sendAgain } from './send-again.ts'
import { sendTestMessage } from './send-test-message.ts'

type PastDeployment = ResponseOf<typeof endpoints.listDeployments>['items'][number]

export interface NotificationRouteDeps extends NotificationDeps {
  /** The newest deployments of an organization, newest first, as the API shows them. */
  listNewestDeployments(tx: Tx, orgId: string, limit: number): Promise<readonly PastDeployment[]>
}

const previewed = 100

function present(row: RouteRow): ResponseOf<typeof endpoints.createNotificationRoute> {
  const { id, name, channelId, channelName, match, broadcastFailures } = row
  const { healthReason, createdAt, events } = row
  return {
    id,
    name,
    channelId,
    channelName,
    match,
    broadcastFailures,
    events: [...events],
    health: presentChannelHealth(healthReason),
    createdAt: createdAt.toISOString(),
  }
}

export function mountNotifications(router: Router, deps: NotificationRouteDeps): void {
  router
    .add(endpoints.createNotificationRoute, {
      handle: (request) => createRoute(deps, toOrganizationCaller(request), request.body),
      present,
    })
    .add(endpoints.listNotificationRoutes, {
      handle: async (request) => {
        const { limit } = request.query
        const after = request.readCursor(z.string()) ?? ''
        const { orgId, scope } = toOrganizationCaller(request)
        const rows = await deps.store.transaction(scope, (tx) =>
          pageRouteRows(tx, orgId, { after, limit: limit + 1 }),
        )
        const items = rows.slice(0, limit)
        return { items, last: rows.length > limit ? items.at(-1) : undefined }
      },
      present: ({ items, last }, request) => ({
        items: items.map(present),
        nextCursor: last === undefined ? null : request.writeCursor(last.id),
      }),
    })
    .add(endpoints.updateNotificationRoute, {
      handle: (request) =>
        updateRoute(deps, toOrganizationCaller(request), request.params.route_id, request.body),
      present,
    })
    .add(endpoints.deleteNotificationRoute, {
      handle: (request) =>
        deleteRoute(deps, toOrganizationCaller(request), request.params.route_id),
    })
    .add(endpoints.previewNotificationRoute, {
      handle: async (request) => {
        const { orgId, scope } = toOrganizationCaller(request)
        const match = toMatch(request.body.match)
        const newest = await deps.store.transaction(scope, async (tx) => {
          await requireEnvironments(tx, orgId, match)
          return deps.listNewestDeployments(tx, orgId, previewed)
        })
        const matched = previewRoute(match, newest)
        return { matched, looked: newest.length }
      },
      present: (preview) => preview,
    })
    .add(dashboardEndpoints.sendNotificationAgain, {
      handle: (request) =>
        sendAgain(deps, toOrganizationCaller(request), request.params.notification_id),
      present: (row) => presentMessage(row, explainRouteHealth),
    })
    .add(integrationEndpoints.sendTestNotification, {
      handle: (request) => sendTestMessage(deps, toOrganizationCaller(request)),
      present: ({ postedAt, ...sent }) => ({ ...sent, postedAt: postedAt.toISOString() }),
    })
}
