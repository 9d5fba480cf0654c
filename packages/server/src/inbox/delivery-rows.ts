import type { Tx } from '../store/store.ts'
import type { DeliveryOrigin, DeliveryState } from './delivery.ts'

/** Describes a stored webhook without its headers and body. */
export interface DeliveryRow {
  readonly id: string
  readonly provider: string
  readonly deliveryId: string
  readonly event: string
  readonly action: string | null
  readonly accountId: string | null
  readonly repositoryId: string | null
  readonly state: DeliveryState
  readonly reason: string | null
  readonly origin: DeliveryOrigin
  readonly duplicates: number
  readonly attempts: number
  readonly receivedAt: Date
  readonly processedAt: Date | null
  /** The webhook that has to be settled first: the oldest open one with the same key (`orderKeyOf`). */
  readonly waitsFor: {
    readonly id: string
    readonly event: string
    readonly attempts: number
  } | null
}

/** Describes a stored webhook with its headers and its body. */
export interface DeliveryContentRow extends DeliveryRow {
  /** As `packBody` returned it. */
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const open = `('received', 'processing', 'failed')`

const columns = `id, provider, delivery_id as "deliveryId", event, action, account_id as "accountId",
  repository_id as "repositoryId", state, reason, origin, duplicates, attempts, received_at as "receivedAt",
  processed_at as "processedAt",
  (select json_build_object('id', b.id, 'event', b.event, 'attempts', b.attempts) from received_webhooks b
    where received_webhooks.state in ${open} and b.state in ${open} and b.provider = received_webhooks.provider
      and b.repository_id is not distinct from received_webhooks.repository_id
      and (b.repository_id is not null or b.account_id = received_webhooks.account_id)
      and (b.received_at, b.id) < (received_webhooks.received_at, received_webhooks.id)
    order by b.received_at, b.id limit 1) as "waitsFor"`

/** Describes which webhooks of an organization are listed. `undefined` filters nothing. */
export interface DeliveryFilter {
  readonly state: DeliveryState | undefined
  readonly event: string | undefined
  /** Left out: those of every provider. */
  readonly providers: readonly string[] | undefined
}

/** Describes where a page begins: behind this webhook, the last one of the page before. */
export interface DeliveryPosition {
  readonly id: string
  readonly receivedAt: Date
}

/** Lists webhooks of an organization, newest first. */
export async function pageDeliveries(
  tx: Tx,
  { orgId, state, event, providers }: DeliveryFilter & { readonly orgId: string },
  page: { readonly after: DeliveryPosition | undefined; readonly limit: number },
): Promise<DeliveryRow[]> {
  return tx.query<DeliveryRow>({
    name: 'page-webhook-deliveries',
    text: `select ${columns} from received_webhooks
      where org_id = $1 and ($2::text is null or state = $2) and ($3::text is null or event = $3)
        and ($4::text[] is null or provider = any ($4))
        and ($5::timestamptz is null or (received_at, id) < ($5, $6::text))
      order by received_at desc, id desc limit $7`,
    values: [orgId, state, event, providers, page.after?.receivedAt, page.after?.id, page.limit],
  })
}

/** Finds a webhook of an organization, with its headers and body. */
export async function findDelivery(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeliveryContentRow | undefined> {
  const [row] = await tx.query<DeliveryContentRow>({
    name: 'find-webhook-delivery',
    text: `select ${columns}, headers, body from received_webhooks where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Reopens a processed webhook and returns it. Returns `undefined` when it is open already: then it has a job. */
export async function reopenDelivery(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>({
    name: 'reopen-webhook-delivery',
    text: `update received_webhooks set state = 'received', reason = null, origin = 'replay'
      where org_id = $1 and id = $2 and state not in ('received', 'processing') returning ${columns}`,
    values: [orgId, id],
  })
  return row
}

/** Describes which webhooks are reopened together. */
export interface ReopenFilter {
  readonly orgId: string
  readonly states: readonly DeliveryState[]
  readonly event: string | undefined
  /** Left out: those of every provider. */
  readonly providers: readonly string[] | undefined
}

/** Reopens up to `limit` webhooks and returns them, oldest first. Leaves out those that another transaction has locked. */
export async function reopenDeliveries(
  tx: Tx,
  { orgId, states, event, providers }: ReopenFilter,
  limit: number,
): Promise<DeliveryRow[]> {
  const rows = await tx.query<DeliveryRow>({
    name: 'reopen-webhook-deliveries',
    text: `update received_webhooks set state = 'received', reason = null, origin = 'replay' where id in (
        select id from received_webhooks where org_id = $1 and state = any ($2::text[])
          and ($3::text is null or event = $3) and ($4::text[] is null or provider = any ($4))
        order by received_at, id limit $5 for update skip locked)
      returning ${columns}`,
    values: [orgId, states, event, providers, limit],
  })
  return rows.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
}

/** Returns whether any webhook matches the filter. */
export async function hasDeliveries(
  tx: Tx,
  { orgId, states, event, providers }: ReopenFilter,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-webhook-deliveries',
    text: `select 1 from received_webhooks where org_id = $1 and state = any ($2::text[])
      and ($3::text is null or event = $3) and ($4::text[] is null or provider = any ($4)) limit 1`,
    values: [orgId, states, event, providers],
  })
  return rows.length > 0
}
