import type { Tx } from '../store/store.ts'
import type { DeliveryOrigin, DeliveryState } from './delivery.ts'

/** Describes a webhook that is to be stored. */
export interface NewDelivery {
  readonly id: string
  readonly provider: string
  readonly deliveryId: string
  /** The organization of its account, as far as it is known when it comes. */
  readonly orgId?: string | undefined
  readonly event: string
  readonly action: string | null
  readonly accountId: string | null
  readonly repositoryId: string | null
  readonly headers: Readonly<Record<string, string>>
  /** As `packBody` returns it. */
  readonly body: Buffer
  readonly origin: DeliveryOrigin
  /** Counts how often it came again while it waited to be stored. */
  readonly duplicates: number
  readonly receivedAt: Date
}

/** Describes a stored webhook as far as its job needs it. */
export interface StoredDelivery {
  readonly id: string
  readonly provider: string
  readonly deliveryId: string
  readonly accountId: string | null
  readonly repositoryId: string | null
}

/** Describes a webhook that was stored before and came again. */
export interface KnownDelivery extends StoredDelivery {
  /** True when it was `failed` or `dead`, and is open again. */
  readonly isReopened: boolean
}

/** Sorts by id, so that nodes lock rows in the same order and no two wait for each other. */
function inOrder(deliveries: readonly NewDelivery[]): readonly NewDelivery[] {
  return deliveries.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
}

/**
 * Stores those of `deliveries` that are not stored yet, by one statement, and returns their ids. What a provider calls a webhook is
 * recorded first: a node that stores the same one waits for that row. The bodies are sent as one value that the database cuts: an
 * array of bytes is sent as text, which takes the database twice as long.
 */
export async function insertDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
): Promise<Set<string>> {
  const sorted = inOrder(deliveries)
  const column = <T>(read: (delivery: NewDelivery) => T): T[] => sorted.map(read)
  const sizes = column(({ body }) => body.length)
  const rows = await tx.query<{ id: string }>({
    name: 'insert-webhook-deliveries',
    text: `with given as (
        select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
          $10::int[], $11::int[], $12::text[], $13::int[], $14::timestamptz[], $15::text[])
        as g (id, provider, delivery_id, event, action, account_id, repository_id, headers, body_at, body_size, origin,
          duplicates, received_at, org_id)
      ), recorded as (
        insert into received_webhook_ids (provider, delivery_id, id, received_at)
        select provider, delivery_id, id, received_at from given on conflict do nothing returning id
      )
      insert into received_webhooks (id, provider, delivery_id, event, action, account_id, repository_id, headers,
        body, origin, duplicates, received_at, org_id)
      select id, provider, delivery_id, event, action, account_id, repository_id, headers::json,
        substring($1::bytea from body_at for body_size), origin, duplicates, received_at, org_id
      from given join recorded using (id)
      on conflict do nothing returning id`,
    values: [
      Buffer.concat(column(({ body }) => body)),
      column(({ id }) => id),
      column(({ provider }) => provider),
      column(({ deliveryId }) => deliveryId),
      column(({ event }) => event),
      column(({ action }) => action),
      column(({ accountId }) => accountId),
      column(({ repositoryId }) => repositoryId),
      column(({ headers }) => JSON.stringify(headers)),
      startsOf(sizes),
      sizes,
      column(({ origin }) => origin),
      column(({ duplicates }) => duplicates),
      column(({ receivedAt }) => receivedAt),
      column(({ orgId }) => orgId ?? null),
    ],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Returns where each of several bodies begins when all are concatenated; the first at 1, as SQL counts. */
function startsOf(sizes: readonly number[]): number[] {
  let next = 1
  return sizes.map((size) => {
    const start = next
    next += size
    return start
  })
}

/**
 * Counts webhooks that are stored already as repeats. Reopens one that is `failed` or `dead`: its provider sends it again for
 * another try.
 */
export async function countRepeats(
  tx: Tx,
  deliveries: readonly NewDelivery[],
): Promise<KnownDelivery[]> {
  const sorted = inOrder(deliveries)
  return tx.query<KnownDelivery>({
    name: 'count-webhook-repeats',
    text: `with given as (
        select provider, delivery_id, repeats from unnest($1::text[], $2::text[], $3::int[]) as g (provider, delivery_id, repeats)
      ), known as materialized (
        select w.id, w.state in ('failed', 'dead') as is_reopened, given.repeats
        from given join received_webhook_ids r using (provider, delivery_id) join received_webhooks w on w.id = r.id
        order by r.delivery_id for update of w
      )
      update received_webhooks w set duplicates = w.duplicates + known.repeats,
        state = case when is_reopened then 'received' else w.state end,
        reason = case when is_reopened then null else w.reason end
      from known where w.id = known.id
      returning w.id, w.provider, w.delivery_id as "deliveryId", w.account_id as "accountId",
        w.repository_id as "repositoryId", is_reopened as "isReopened"`,
    values: [
      sorted.map(({ provider }) => provider),
      sorted.map(({ deliveryId }) => deliveryId),
      sorted.map(({ duplicates }) => duplicates + 1),
    ],
  })
}

/** Describes a webhook that is being processed. */
export interface ClaimedDelivery {
  readonly id: string
  readonly provider: string
  readonly event: string
  readonly accountId: string | null
  /** Counts the tries, this one included. */
  readonly attempts: number
  readonly body: Buffer
}

/** Marks an open webhook as `processing` and returns it; `undefined` when it is processed already or deleted. */
export async function claimDelivery(tx: Tx, id: string): Promise<ClaimedDelivery | undefined> {
  const [row] = await tx.query<ClaimedDelivery>({
    name: 'claim-webhook-delivery',
    text: `update received_webhooks set state = 'processing', attempts = attempts + 1
      where id = $1 and state in ('received', 'processing', 'failed')
      returning id, provider, event, account_id as "accountId", attempts, body`,
    values: [id],
  })
  return row
}

/** Describes the state of a webhook after a try. */
export interface DeliveryOutcome {
  readonly id: string
  readonly orgId: string | null
  readonly state: DeliveryState
  readonly reason: string | null
  readonly processedAt: Date
}

/** Records the outcome of a try. Leaves a webhook open that came again meanwhile: that has a job of its own. */
export async function settleDelivery(tx: Tx, outcome: DeliveryOutcome): Promise<void> {
  await tx.query({
    name: 'settle-webhook-delivery',
    text: `update received_webhooks
      set state = $2, reason = $3, org_id = coalesce($4, org_id), processed_at = $5
      where id = $1 and state = 'processing'`,
    values: [outcome.id, outcome.state, outcome.reason, outcome.orgId, outcome.processedAt],
  })
}

/** Returns those of `deliveryIds` that have been received. */
export async function listKnownDeliveries(
  tx: Tx,
  provider: string,
  deliveryIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ deliveryId: string }>({
    name: 'list-known-webhook-deliveries',
    text: `select delivery_id as "deliveryId" from received_webhook_ids where provider = $1 and delivery_id = any ($2::text[])`,
    values: [provider, deliveryIds],
  })
  return new Set(rows.map(({ deliveryId }) => deliveryId))
}

/** Finds the moment up to which the log of a provider has been read. */
export async function findReadUntil(tx: Tx, provider: string): Promise<Date | undefined> {
  const [row] = await tx.query<{ readUntil: Date }>({
    name: 'find-webhook-watermark',
    text: 'select read_until as "readUntil" from webhook_watermarks where provider = $1',
    values: [provider],
  })
  return row?.readUntil
}

/** Stores the moment up to which the log of a provider has been read. It never moves back: two nodes may read at once. */
export async function saveReadUntil(tx: Tx, provider: string, readUntil: Date): Promise<void> {
  await tx.query({
    name: 'save-webhook-watermark',
    text: `insert into webhook_watermarks as w (provider, read_until) values ($1, $2)
      on conflict (provider) do update set read_until = greatest(w.read_until, excluded.read_until), updated_at = now()`,
    values: [provider, readUntil],
  })
}

/** Describes which open webhooks get a job again. */
export interface TakeStranded {
  readonly before: Date
  readonly now: Date
  /** The ids of webhooks that are left alone. */
  readonly except: readonly string[]
  readonly limit: number
}

/**
 * Returns webhooks that have been open since `before`: a worker ended at their last try, and no job is left. Returns each once
 * in that time, so that a queue that is merely long does not fill with repeats.
 */
export async function takeStrandedDeliveries(
  tx: Tx,
  { before, now, except, limit }: TakeStranded,
): Promise<StoredDelivery[]> {
  return tx.query<StoredDelivery>({
    name: 'take-stranded-webhook-deliveries',
    text: `update received_webhooks set processed_at = $2 where id in (
        select id from received_webhooks
        where state in ('received', 'processing', 'failed') and received_at < $1 and coalesce(processed_at, received_at) < $1
          and id <> all ($3::text[])
        order by received_at limit $4 for update skip locked)
      returning id, provider, delivery_id as "deliveryId", account_id as "accountId", repository_id as "repositoryId"`,
    values: [before, now, except, limit],
  })
}

/** Finds when the oldest webhook was received that no worker has seen yet. */
export async function findOldestUnseen(tx: Pick<Tx, 'query'>): Promise<Date | undefined> {
  const [row] = await tx.query<{ oldest: Date | null }>({
    name: 'find-oldest-unseen-webhook',
    text: `select min(received_at) as oldest from received_webhooks where state = 'received'`,
    values: [],
  })
  return row?.oldest ?? undefined
}
