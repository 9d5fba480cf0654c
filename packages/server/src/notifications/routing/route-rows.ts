import type { Tx } from '../../store/store.ts'
import type { RouteEvent, RouteMatch } from './match-route.ts'

/** Holds a route as it is stored. */
export interface RouteRow {
  readonly id: string
  readonly name: string
  readonly channelId: string
  readonly channelName: string
  readonly match: RouteMatch
  readonly events: readonly RouteEvent[]
  readonly broadcastFailures: boolean
  readonly healthState: 'ok' | 'broken'
  /** The provider's code of what is the matter. */
  readonly healthReason: string | null
  /** When a message last arrived by it, to the minute; `null`: none has. */
  readonly lastDeliveredAt: Date | null
  readonly createdAt: Date
}

const columns = `id, name, channel_id as "channelId", channel_name as "channelName", match, events,
  broadcast_failures as "broadcastFailures", health_state as "healthState", health_reason as "healthReason",
  last_delivered_at as "lastDeliveredAt", created_at as "createdAt"`

/** Lists every route of an organization, oldest first. There are at most fifty. */
export async function listRouteRows(tx: Tx, orgId: string): Promise<RouteRow[]> {
  return tx.query<RouteRow>({
    name: 'list-notification-routes',
    text: `select ${columns} from notification_routes where org_id = $1 order by id`,
    values: [orgId],
  })
}

/** Lists a page of routes, oldest first. */
export async function pageRouteRows(
  tx: Tx,
  orgId: string,
  page: { readonly after: string; readonly limit: number },
): Promise<RouteRow[]> {
  return tx.query<RouteRow>({
    name: 'page-notification-routes',
    text: `select ${columns} from notification_routes where org_id = $1 and id > $2 order by id limit $3`,
    values: [orgId, page.after, page.limit],
  })
}

/** Finds a route; `undefined` when there is none with this id. */
export async function findRouteRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<RouteRow | undefined> {
  const [row] = await tx.query<RouteRow>({
    name: 'find-notification-route',
    text: `select ${columns} from notification_routes where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Locks a route for the rest of the transaction; `undefined` when there is none with this id. */
export async function lockRouteRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<RouteRow | undefined> {
  const [row] = await tx.query<RouteRow>({
    name: 'lock-notification-route',
    text: `select ${columns} from notification_routes where org_id = $1 and id = $2 for update`,
    values: [orgId, id],
  })
  return row
}

/** Adds a route, or replaces the one with its id. */
export async function saveRouteRow(tx: Tx, orgId: string, row: RouteRow, now: Date): Promise<void> {
  await tx.query({
    name: 'save-notification-route',
    text: `insert into notification_routes (org_id, id, name, channel_id, channel_name, match, events,
        broadcast_failures, health_state, health_reason, last_delivered_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      on conflict (org_id, id) do update set name = excluded.name, channel_id = excluded.channel_id,
        channel_name = excluded.channel_name, match = excluded.match, events = excluded.events,
        broadcast_failures = excluded.broadcast_failures, health_state = excluded.health_state,
        health_reason = excluded.health_reason,
        last_delivered_at = excluded.last_delivered_at, updated_at = excluded.updated_at`,
    values: [
      orgId,
      row.id,
      row.name,
      row.channelId,
      row.channelName,
      JSON.stringify(row.match),
      row.events,
      row.broadcastFailures,
      row.healthState,
      row.healthReason,
      row.lastDeliveredAt,
      row.createdAt,
      now,
    ],
  })
}

/** Saves how the channel of a route takes messages. A delivery is recorded once a minute, because every message is one. */
export async function saveRouteHealth(
  tx: Tx,
  orgId: string,
  {
    id,
    reason,
    deliveredAt,
  }: { readonly id: string; readonly reason: string | null; readonly deliveredAt: Date | null },
): Promise<void> {
  await tx.query({
    name: 'save-notification-route-health',
    text: `update notification_routes set health_state = case when $3::text is null then 'ok' else 'broken' end,
      health_reason = $3, last_delivered_at = coalesce($4::timestamptz, last_delivered_at)
      where org_id = $1 and id = $2 and (health_reason is distinct from $3
        or coalesce(last_delivered_at, '-infinity') < $4::timestamptz - interval '1 minute')`,
    values: [orgId, id, reason, deliveredAt],
  })
}

/** Says how messages to a channel fare. */
export interface CheckedChannel {
  readonly channelId: string
  /** `null`: as it was. */
  readonly name: string | null
  /** The code that messages are refused with; `null`: they arrive. */
  readonly reason: string | null
}

/** Records a check of a channel at every route to it. Returns the routes that were broken before. */
export async function saveChannelCheck(
  tx: Tx,
  orgId: string,
  { channelId, name, reason }: CheckedChannel,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'save-channel-check',
    text: `with before as (
        select id, health_state from notification_routes where org_id = $1 and channel_id = $2 for update
      ), saved as (
        update notification_routes set channel_name = coalesce($3::text, channel_name), health_reason = $4::text,
          health_state = case when $4::text is null then 'ok' else 'broken' end
        where org_id = $1 and channel_id = $2
      )
      select id from before where health_state = 'broken' order by id`,
    values: [orgId, channelId, name, reason],
  })
  return rows.map(({ id }) => id)
}

export async function deleteRouteRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-notification-route',
    text: 'delete from notification_routes where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}
