import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import type { AuditAction } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { requireSame } from '../../http/input/read-only-fields.ts'
import type { Tx } from '../../store/store.ts'
import { requireChannel, type ChosenChannel } from '../chat/find-channel.ts'
import type { RouteEvent, RouteMatch } from './match-route.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { releaseNotifications } from '../sending/release-notifications.ts'
import { requireEnvironments } from './require-environments.ts'
import {
  deleteRouteRow,
  findRouteRow,
  listRouteRows,
  lockRouteRow,
  saveRouteRow,
  type RouteRow,
} from './route-rows.ts'

const routesPerOrganization = 50
const pointer = '/channelId'

interface MatchFields {
  readonly environmentIds?: string[] | null | undefined
  readonly repositories?: string[] | null | undefined
  readonly branches?: string[] | null | undefined
  readonly states: RouteMatch['states']
}

/** Describes a route as a request creates it. */
export interface RouteFields {
  readonly name: string
  readonly channelId: string
  readonly match: MatchFields
  readonly events: readonly RouteEvent[]
  readonly broadcastFailures: boolean
}

type Deps = Pick<NotificationDeps, 'store' | 'chat' | 'jobs' | 'now'>

/** Completes the match of a request: members that were left out are `null` and match everything. */
export function toMatch({
  environmentIds = null,
  repositories = null,
  branches = null,
  states,
}: MatchFields): RouteMatch {
  return { environmentIds, repositories, branches, states }
}

function recordRouteEvent(tx: Tx, caller: Caller, action: AuditAction, route: RouteRow): void {
  recordAuditEvent(tx, {
    orgId: caller.orgId,
    actor: caller.author,
    request: caller.request,
    action,
    target: { type: 'notification_route', id: route.id, name: route.name },
    detail: {
      channelId: route.channelId,
      events: route.events,
      states: route.match.states,
      repositories: route.match.repositories,
    },
  })
}

/**
 * Creates a route: messages go to its channel from now on.
 *
 * @throws {Problem} `integration_not_connected`, `reauth_required`, `validation_failed`, `provider_error`, `quota_exceeded`
 */
export async function createRoute(
  deps: Deps,
  caller: Caller,
  fields: RouteFields,
): Promise<RouteRow> {
  const channel = await requireChannel(deps, caller, { id: fields.channelId, pointer })
  return deps.store.transaction(caller.scope, async (tx) => {
    const now = deps.now()
    const match = toMatch(fields.match)
    await requireEnvironments(tx, caller.orgId, match)
    const routes = await listRouteRows(tx, caller.orgId)
    if (routes.length >= routesPerOrganization) {
      const detail = `An organization has at most ${routesPerOrganization} routes. Delete one first.`
      throw new Problem('quota_exceeded', detail)
    }
    const route: RouteRow = {
      ...fields,
      id: newId('rte', now),
      match,
      channelName: channel.name,
      ...healthOf(channel),
      lastDeliveredAt: null,
      createdAt: now,
    }
    await saveRouteRow(tx, caller.orgId, route, now)
    recordRouteEvent(tx, caller, 'notification_route.created', route)
    return route
  })
}

/**
 * Changes a route. Sends the messages that waited for another channel.
 *
 * @throws {Problem} `not_found`, `integration_not_connected`, `reauth_required`, `validation_failed`, `provider_error`
 */
export async function updateRoute(
  deps: Deps,
  caller: Caller,
  id: string,
  {
    readOnly,
    ...fields
  }: { readonly [Name in keyof RouteFields]?: RouteFields[Name] | undefined } & {
    readonly readOnly: { readonly id?: string | undefined }
  },
): Promise<RouteRow> {
  const channel = await requireNewChannel(deps, caller, { id, channelId: fields.channelId })
  const route = await deps.store.transaction(caller.scope, async (tx) => {
    const stored = await requireRoute(tx, caller.orgId, id)
    requireSame(stored, readOnly)
    const match = fields.match && toMatch(fields.match)
    if (match !== undefined) await requireEnvironments(tx, caller.orgId, match)
    const changed: RouteRow = {
      ...stored,
      name: fields.name ?? stored.name,
      events: fields.events ?? stored.events,
      match: match ?? stored.match,
      broadcastFailures: fields.broadcastFailures ?? stored.broadcastFailures,
      ...(channel === undefined
        ? {}
        : {
            channelId: channel.id,
            channelName: channel.name,
            ...healthOf(channel),
            lastDeliveredAt: channel.id === stored.channelId ? stored.lastDeliveredAt : null,
          }),
    }
    // A client may send back what it has read.
    if (channel === undefined && isDeepStrictEqual(changed, stored)) return stored
    await saveRouteRow(tx, caller.orgId, changed, deps.now())
    recordRouteEvent(tx, caller, 'notification_route.updated', changed)
    if (channel !== undefined) {
      const release = { routeId: id, channelId: channel.id }
      await releaseNotifications(deps, tx, caller.orgId, release)
    }
    return changed
  })
  return route
}

/** Returns a route. @throws {Problem} `not_found` */
export async function getRoute(
  { store }: Pick<Deps, 'store'>,
  { orgId, scope }: Caller,
  id: string,
): Promise<RouteRow> {
  const route = await store.transaction(scope, (tx) => findRouteRow(tx, orgId, id))
  if (route === undefined) throw missingRoute()
  return route
}

/** Returns the health of a channel before its first message. One that would refuse it is broken, so that a person reads why. */
function healthOf({
  refusedWith: healthReason,
}: ChosenChannel): Pick<RouteRow, 'healthState' | 'healthReason'> {
  return { healthState: healthReason === null ? 'ok' : 'broken', healthReason }
}

/**
 * Returns the channel of a change, as the chat knows it; `undefined` where the route keeps its channel. The channel of a route
 * that is broken is tried again.
 */
async function requireNewChannel(
  deps: Deps,
  caller: Caller,
  { id, channelId }: { readonly id: string; readonly channelId: string | undefined },
) {
  if (channelId === undefined) return undefined
  const stored = await getRoute(deps, caller, id)
  if (stored.channelId === channelId && stored.healthState === 'ok') return undefined
  return requireChannel(deps, caller, { id: channelId, pointer })
}

/** Deletes a route. Messages that were sent stay as they are. @throws {Problem} `not_found` */
export async function deleteRoute(deps: Deps, caller: Caller, id: string): Promise<void> {
  await deps.store.transaction(caller.scope, async (tx) => {
    const route = await requireRoute(tx, caller.orgId, id)
    await deleteRouteRow(tx, caller.orgId, id)
    recordRouteEvent(tx, caller, 'notification_route.deleted', route)
  })
}

async function requireRoute(tx: Tx, orgId: string, id: string): Promise<RouteRow> {
  const route = await lockRouteRow(tx, orgId, id)
  if (route === undefined) throw missingRoute()
  return route
}

function missingRoute(): Problem {
  return new Problem('not_found', 'There is no notification route with this id.')
}
