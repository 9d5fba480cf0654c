import { toCaller, type Caller } from '../audit/caller.ts'
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
import type { Integration } from '../integrations/integration.ts'
import { listIntegrationRows } from '../integrations/rows.ts'
import { presentMessage } from '../read-models/notifications/present-message.ts'
import { presentChannelHealth } from './chat/present-chat.ts'
import { previewRoute } from './routing/match-route.ts'
import type { NotificationDeps } from './notification-deps.ts'
import { requireEnvironments } from './routing/require-environments.ts'
import { pageRouteRows, type RouteRow } from './routing/route-rows.ts'
import { createRoute, deleteRoute, getRoute, toMatch, updateRoute } from './routing/save-route.ts'
import { sendAgain, settleMessage } from './sending/send-again.ts'
import { sendTestMessage } from './chat/send-test-message.ts'

type PastDeployment = ResponseOf<typeof deploymentEndpoints.listDeployments>['items'][number]

/** Describes the dependencies of the endpoints of messages and routes. */
export interface NotificationRouteDeps extends NotificationDeps {
  /** Lists the newest deployments of an organization, newest first, as the API shows them. */
  listNewestDeployments(tx: Tx, orgId: string, limit: number): Promise<readonly PastDeployment[]>
}

const previewed = 100

/** Holds a route with the chat that the organization has, or had last; `undefined`: none yet. */
interface ShownRoute {
  readonly route: RouteRow
  readonly chat: Integration | undefined
}

function present({
  route: row,
  chat,
}: ShownRoute): ResponseOf<typeof notificationRouteEndpoints.createNotificationRoute> {
  const { id, name, channelId, channelName, match, broadcastFailures } = row
  const { healthReason: reason, lastDeliveredAt, createdAt, events } = row
  const deliveredAt = lastDeliveredAt?.toISOString() ?? null
  return {
    id,
    name,
    channelId,
    channelName,
    match,
    broadcastFailures,
    events: [...events],
    health: presentChannelHealth(chat, { reason, deliveredAt }),
    createdAt: createdAt.toISOString(),
  }
}

async function withChat(
  { store }: Pick<NotificationDeps, 'store'>,
  { orgId, scope }: Caller,
  route: RouteRow,
): Promise<ShownRoute> {
  return { route, chat: await store.transaction(scope, (tx) => findLatestChat(tx, orgId)) }
}

/** Finds the chat that an organization has, or had last. */
async function findLatestChat(tx: Tx, orgId: string): Promise<Integration | undefined> {
  const integrations = await listIntegrationRows(tx, orgId)
  return integrations.find(({ kind }) => kind === 'chat')
}

/** Mounts the routes of messages, and sending them. */
export function mountNotifications(router: Router, deps: NotificationRouteDeps): void {
  router
    .add(notificationRouteEndpoints.createNotificationRoute, {
      handle: async (request) => {
        const caller = toCaller(request)
        return withChat(deps, caller, await createRoute(deps, caller, request.body))
      },
      present,
    })
    .addPage(notificationRouteEndpoints.listNotificationRoutes, {
      position: z.string(),
      list: async (request, { after = '', limit }) => {
        const { orgId, scope } = toCaller(request)
        const [rows, chat] = await deps.store.transaction(scope, (tx) =>
          Promise.all([
            pageRouteRows(tx, orgId, { after, limit: limit + 1 }),
            findLatestChat(tx, orgId),
          ]),
        )
        return rows.map((route) => ({ route, chat }))
      },
      positionOf: ({ route }) => route.id,
      present,
    })
    .add(notificationRouteEndpoints.getNotificationRoute, {
      handle: async (request) => {
        const caller = toCaller(request)
        return withChat(deps, caller, await getRoute(deps, caller, request.params.route_id))
      },
      present,
    })
  mountRouteChanges(router, deps)
  mountMessages(router, deps)
}

function mountRouteChanges(router: Router, deps: NotificationRouteDeps): void {
  router
    .add(notificationRouteEndpoints.updateNotificationRoute, {
      handle: async (request) => {
        const caller = toCaller(request)
        const { route_id: routeId } = request.params
        const { body, readOnly } = request
        return withChat(
          deps,
          caller,
          await updateRoute(deps, caller, routeId, { ...body, readOnly }),
        )
      },
      present,
    })
    .add(notificationRouteEndpoints.deleteNotificationRoute, {
      handle: (request) => deleteRoute(deps, toCaller(request), request.params.route_id),
    })
    .add(notificationRouteEndpoints.previewNotificationRoute, {
      handle: async (request) => {
        const { orgId, scope } = toCaller(request)
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
}

function mountMessages(router: Router, deps: NotificationDeps): void {
  router
    .add(messageEndpoints.sendNotificationAgain, {
      handle: (request) => sendAgain(deps, toCaller(request), request.params.notification_id),
      present: presentMessage,
    })
    .add(messageEndpoints.settleNotification, {
      handle: (request) =>
        settleMessage(deps, toCaller(request), {
          id: request.params.notification_id,
          isThere: request.body.isThere,
        }),
      present: presentMessage,
    })
    .add(chatEndpoints.sendTestNotification, {
      handle: (request) => sendTestMessage(deps, toCaller(request)),
      present: ({ postedAt, ...sent }) => ({ ...sent, postedAt: postedAt.toISOString() }),
    })
}
