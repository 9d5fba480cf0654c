import type { Tx } from '../../store/store.ts'

/** Names a connection. */
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

/** Finds the connection of an id whose webhooks are taken. Asked by maintenance: the address names no organization. */
export async function findConnectedRow(
  tx: Tx,
  provider: string,
  integrationId: string,
): Promise<(ConnectionRef & { readonly accountId: string | null }) | undefined> {
  const [row] = await tx.query<ConnectionRef & { readonly accountId: string | null }>({
    name: 'find-webhook-connection',
    text: `select i.org_id as "orgId", i.id as "integrationId", i.account_id as "accountId"
      from integration_webhooks w join integrations i on i.org_id = w.org_id and i.id = w.integration_id
      where w.integration_id = $2 and i.provider = $1 and i.state not in ('pending', 'disconnected')`,
    values: [provider, integrationId],
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

/** Writes the secrets and webhooks of a connection. */
export async function putWebhookRow(
  tx: Tx,
  { orgId, integrationId, sealed, hooks }: WebhookRow,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'put-integration-webhooks',
    text: `insert into integration_webhooks (org_id, integration_id, sealed, hooks, updated_at) values ($1, $2, $3, $4, $5)
      on conflict (org_id, integration_id) do update set sealed = excluded.sealed, hooks = excluded.hooks,
        updated_at = excluded.updated_at`,
    values: [orgId, integrationId, sealed, hooks, now],
  })
}

/** Deletes the secrets of a connection, so that none of its webhooks is taken any more. Returns the webhooks that it had. */
export async function deleteWebhookRow(
  tx: Tx,
  { orgId, integrationId }: ConnectionRef,
): Promise<readonly string[]> {
  const [row] = await tx.query<{ readonly hooks: readonly string[] }>({
    name: 'delete-integration-webhooks',
    text: `delete from integration_webhooks where org_id = $1 and integration_id = $2 returning hooks`,
    values: [orgId, integrationId],
  })
  return row?.hooks ?? []
}
