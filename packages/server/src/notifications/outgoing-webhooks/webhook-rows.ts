import type { Tx } from '../../store/store.ts'
import type { OutgoingWebhook } from './webhook.ts'

/** Holds a stored webhook with its sealed secrets. */
export interface SealedWebhook extends OutgoingWebhook {
  readonly sealedSecrets: Buffer
}

const columns = `id, name, url, events, format, enabled, has_authorization as "hasAuthorization",
  overlap_ends_at as "overlapEndsAt", health_reason as "healthReason", failing_since as "failingSince",
  last_sent_at as "lastSentAt", created_at as "createdAt", created_by as "createdBy", sealed_secrets as "sealedSecrets"`

/** Adds a webhook, or replaces the one with its id. */
export async function saveWebhookRow(tx: Tx, orgId: string, row: SealedWebhook): Promise<void> {
  await tx.query({
    name: 'save-outgoing-webhook',
    text: `insert into outgoing_webhooks (org_id, id, name, url, events, format, enabled, has_authorization,
        overlap_ends_at, health_reason, failing_since, created_at, sealed_secrets, created_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
      on conflict (org_id, id) do update set name = excluded.name, url = excluded.url, events = excluded.events,
        format = excluded.format, enabled = excluded.enabled, has_authorization = excluded.has_authorization,
        overlap_ends_at = excluded.overlap_ends_at, health_reason = excluded.health_reason,
        failing_since = excluded.failing_since, sealed_secrets = excluded.sealed_secrets`,
    values: [
      orgId,
      row.id,
      row.name,
      row.url,
      row.events,
      row.format,
      row.enabled,
      row.hasAuthorization,
      row.overlapEndsAt,
      row.healthReason,
      row.failingSince,
      row.createdAt,
      row.sealedSecrets,
      row.createdBy === null ? null : JSON.stringify(row.createdBy),
    ],
  })
}

/** Lists a page of webhooks, oldest first. */
export async function pageWebhookRows(
  tx: Tx,
  orgId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<SealedWebhook[]> {
  return tx.query<SealedWebhook>({
    name: 'page-outgoing-webhooks',
    text: `select ${columns} from outgoing_webhooks where org_id = $1 and id > $2 order by id limit $3`,
    values: [orgId, after, limit],
  })
}

/** Locks a webhook for the rest of the transaction; `undefined` when there is none with this id. */
export async function lockWebhookRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<SealedWebhook | undefined> {
  const [row] = await tx.query<SealedWebhook>({
    name: 'lock-outgoing-webhook',
    text: `select ${columns} from outgoing_webhooks where org_id = $1 and id = $2 for update`,
    values: [orgId, id],
  })
  return row
}

export async function findWebhookRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<SealedWebhook | undefined> {
  const [row] = await tx.query<SealedWebhook>({
    name: 'find-outgoing-webhook',
    text: `select ${columns} from outgoing_webhooks where org_id = $1 and id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Deletes a webhook with its messages. */
export async function deleteWebhookRow(tx: Tx, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-outgoing-webhook',
    text: 'delete from outgoing_webhooks where org_id = $1 and id = $2',
    values: [orgId, id],
  })
}

/** Says how the last message to an address fared. */
export interface WebhookHealth {
  readonly id: string
  /** `null`: it arrived. */
  readonly reason: string | null
  readonly now: Date
  /** Switches the webhook off: its address is gone. */
  readonly isGone: boolean
}

/** Records how the last message to an address fared. */
export async function saveWebhookHealth(
  tx: Tx,
  orgId: string,
  { id, reason, now, isGone }: WebhookHealth,
): Promise<void> {
  await tx.query({
    name: 'save-outgoing-webhook-health',
    text: `update outgoing_webhooks set health_reason = $3::text, enabled = enabled and not $5::boolean,
        failing_since = case when $3::text is null then null else coalesce(failing_since, $4) end,
        last_sent_at = case when $3::text is null then $4 else last_sent_at end
      where org_id = $1 and id = $2`,
    values: [orgId, id, reason, now, isGone],
  })
}
