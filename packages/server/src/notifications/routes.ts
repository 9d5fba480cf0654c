import {
  chatEndpoints,
  messageEndpoints,
  notificationRouteEndpoints,
  type deploymentEndpoints,
  type ResponseOf,
} from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import type { Tx } from '../store/store.ts'
import { toOrganizationCaller } from '../integrations/organization-caller.ts'
import { presentMessage } from '../read-models/notifications/present-message.ts'
import { presentChannelHealth } from './chat/present-chat.ts'
import { previewRoute } from './routing/match-route.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { requireEnvironments } from './routing/require-environments.ts'
import { pageRouteRows, type RouteRow } from './routing/route-rows.ts'
import { createRoute, deleteRoute, toMatch, updateRoute } from './routing/save-route.ts'
import { sendAgain } from './sending/send-again.ts'
import { sendTestMessage } from './chat/send-test-message.ts'

type PastDeployment = ResponseOf<typeof deploymentEndpoints.listDeployments>['items'][number]

export interface NotificationRouteDeps extends NotificationDeps {
  /** The newest deployments of an organization, newest first, as the API shows them. */
  listNewestDeployments(tx: Tx, orgId: string, limit: number): Promise<readonly PastDeployment[]>
}

const previewed = 100

function present(
  row: RouteRow,
): ResponseOf<typeof notificationRouteEndpoints.createNotificationRoute> {
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
    .add(notificationRouteEndpoints.createNotificationRoute, {
      handle: (request) => createRoute(deps, toOrganizationCaller(request), request.body),
      present,
    })
    .add(notificationRouteEndpoints.listNotificationRoutes, {
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
    .add(notificationRouteEndpoints.updateNotificationRoute, {
      handle: (request) =>
        updateRoute(deps, toOrganizationCaller(request), request.params.route_id, request.body),
      present,
    })
    .add(notificationRouteEndpoints.deleteNotificationRoute, {
      handle: (request) =>
        deleteRoute(deps, toOrganizationCaller(request), request.params.route_id),
    })
    .add(notificationRouteEndpoints.previewNotificationRoute, {
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
    .add(messageEndpoints.sendNotificationAgain, {
      handle: (request) =>
        sendAgain(deps, toOrganizationCaller(request), request.params.notification_id),
      present: presentMessage,
    })
    .add(chatEndpoints.sendTestNotification, {
      handle: (request) => sendTestMessage(deps, toOrganizationCaller(request)),
      present: ({ postedAt, ...sent }) => ({ ...sent, postedAt: postedAt.toISOString() }),
    })
}
