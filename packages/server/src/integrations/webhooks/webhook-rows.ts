import type { Tx } from '../../store/store.ts'
import { isOverSql } from '../../jobs/stored-pause.ts'

export interface ConnectionRef {
  readonly orgId: string
  readonly integrationId: string
}

/** Describes what is stored of the webhooks of a connection. */
export interface WebhookRow extends ConnectionRef {
  readonly sealed: Buffer
  /** Names the webhooks that this server made, as the provider's folder writes them. */
  readonly hooks: readonly string[]
}

/** Lists the organizations of those connections that take webhooks. Asked by the intake: an address names no organization. */
export async function listConnectionHomes(
  tx: Tx,
  integrationIds: readonly string[],
): Promise<ConnectionRef[]> {
  return tx.query<ConnectionRef>({
    name: 'list-webhook-connection-homes',
    text: `select org_id as "orgId", integration_id as "integrationId" from integration_webhooks
      where integration_id = any ($1)`,
    values: [integrationIds],
  })
}

/** Finds the connection of an id whose webhooks are taken. */
export async function findConnectedRow(
  tx: Tx,
  provider: string,
  { orgId, integrationId }: ConnectionRef,
): Promise<(ConnectionRef & { readonly accountId: string | null }) | undefined> {
  const [row] = await tx.query<ConnectionRef & { readonly accountId: string | null }>({
    name: 'find-webhook-connection',
    text: `select i.org_id as "orgId", i.id as "integrationId", i.account_id as "accountId"
      from integration_webhooks w join integrations i on i.org_id = w.org_id and i.id = w.integration_id
      where w.org_id = $1 and w.integration_id = $2 and i.provider = $3 and i.state not in ('pending', 'disconnected')`,
    values: [orgId, integrationId, provider],
  })
  return row
}

/** Finds what is stored of the webhooks of a connection. */
export async function findWebhookRow(
  tx: Tx,
  { orgId, integrationId }: ConnectionRef,
): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>({
    name: 'find-integration-webhooks',
    text: `select org_id as "orgId", integration_id as "integrationId", sealed, hooks from integration_webhooks
      where org_id = $1 and integration_id = $2`,
    values: [orgId, integrationId],
  })
  return row
}

/** Writes the first secrets of a connection. It has no webhooks yet. */
export async function insertWebhookRow(
  tx: Tx,
  { orgId, integrationId, sealed }: Omit<WebhookRow, 'hooks'>,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'insert-integration-webhooks',
    text: `insert into integration_webhooks (org_id, integration_id, sealed, updated_at, next_check_at)
      values ($1, $2, $3, $4, $4)`,
    values: [orgId, integrationId, sealed, now],
  })
}

/** Longer than a job may take. A node that ends gives its lease back at once. */
const hookLeaseMs = 330_000

/** Names the webhooks that were made for a connection, and says whether there may soon be more. */
export interface MadeHooks {
  readonly hooks: readonly string[]
  readonly isInWork: boolean
}

/** Says in SQL that nobody has the lease. One that ends later than any begun now is of a clock that was ahead. */
const leaseIsOver = `(lease_until is null or node_has_ended(lease_holder)
    or lease_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => $3 / 1000.0))`

/**
 * Takes the lease on the webhooks of a connection, which one caller has, on all nodes. By the database's clock, since nodes disagree
 * about the time. `holder`: the life of the node (`nodeId` of the jobs), with which the lease ends. Returns its fence; `undefined`
 * when another caller has the lease.
 */
export async function takeHookLease(
  tx: Tx,
  { orgId, integrationId }: ConnectionRef,
  holder: string,
): Promise<number | undefined> {
  const [row] = await tx.query<{ readonly fence: number }>({
    name: 'take-integration-webhooks-lease',
    text: `update integration_webhooks set fence = fence + 1, lease_holder = $4,
        lease_until = clock_timestamp() + make_interval(secs => $3 / 1000.0)
      where org_id = $1 and integration_id = $2 and ${leaseIsOver} returning fence`,
    values: [orgId, integrationId, hookLeaseMs, holder],
  })
  return row?.fence
}

/** Finds the webhooks of a connection, and says whether a caller has the lease and may be making more. */
export async function findMadeHooks(
  tx: Tx,
  { orgId, integrationId }: ConnectionRef,
): Promise<MadeHooks> {
  const [row] = await tx.query<MadeHooks>({
    name: 'find-made-integration-webhooks',
    text: `select hooks, ${leaseIsOver} is not true as "isInWork" from integration_webhooks
      where org_id = $1 and integration_id = $2`,
    values: [orgId, integrationId, hookLeaseMs],
  })
  return row ?? { hooks: [], isInWork: false }
}

/** Describes the webhooks of a connection after they were looked at. */
export interface CheckedHooks extends WebhookRow {
  readonly fence: number
  readonly nextCheckAt: Date
}

/** Writes the secrets and webhooks of a connection and ends the lease, unless another caller has taken it since. */
export async function saveWebhookRow(
  tx: Tx,
  { orgId, integrationId, sealed, hooks, fence, nextCheckAt }: CheckedHooks,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'save-integration-webhooks',
    text: `update integration_webhooks set sealed = $4, hooks = $5, next_check_at = $6, updated_at = $7, lease_until = null
      where org_id = $1 and integration_id = $2 and fence = $3 returning 1`,
    values: [orgId, integrationId, fence, sealed, hooks, nextCheckAt, now],
  })
  return rows.length === 1
}

/** Ends the lease of a caller that could not look, unless another one has taken it since. */
export async function releaseHookLease(
  tx: Tx,
  { orgId, integrationId }: ConnectionRef,
  { fence, nextCheckAt }: Pick<CheckedHooks, 'fence' | 'nextCheckAt'>,
): Promise<void> {
  await tx.query({
    name: 'release-integration-webhooks-lease',
    text: `update integration_webhooks set lease_until = null, next_check_at = $4
      where org_id = $1 and integration_id = $2 and fence = $3`,
    values: [orgId, integrationId, fence, nextCheckAt],
  })
}

/** Returns the connections whose webhooks are to be looked at now, each once until `nextCheckAt`. For maintenance. */
export async function takeDueWebhooks(
  tx: Tx,
  { now, nextCheckAt, limit }: Readonly<{ now: Date; nextCheckAt: Date; limit: number }>,
): Promise<ConnectionRef[]> {
  return tx.query<ConnectionRef>({
    name: 'take-due-integration-webhooks',
    text: `update integration_webhooks set next_check_at = $2 where (org_id, integration_id) in (
        select w.org_id, w.integration_id from integration_webhooks w
        join integrations i on i.org_id = w.org_id and i.id = w.integration_id
        where ${isOverSql('w.next_check_at', '$1')} and i.state in ('connected', 'degraded')
        order by w.next_check_at limit $3 for update of w skip locked)
      returning org_id as "orgId", integration_id as "integrationId"`,
    values: [now, nextCheckAt, limit],
  })
}

/** Deletes the secrets and the webhooks of a connection. */
export async function deleteWebhookRow(
  tx: Tx,
  { orgId, integrationId }: ConnectionRef,
): Promise<void> {
  await tx.query({
    name: 'delete-integration-webhooks',
    text: `delete from integration_webhooks where org_id = $1 and integration_id = $2`,
    values: [orgId, integrationId],
  })
}
