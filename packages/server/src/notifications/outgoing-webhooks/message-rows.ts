import type { Tx } from '../../store/store.ts'
import { isOverSql } from '../../jobs/stored-pause.ts'
import type { OutgoingMessage } from './webhook.ts'

const columns = `id, type, state, attempts, status, reason, next_attempt_at as "nextAttemptAt", sent_at as "sentAt",
  created_at as "createdAt"`

/** Holds a message that this node has leased, with its data. */
export interface LeasedMessage {
  readonly orgId: string
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly data: unknown
  readonly attempts: number
  readonly createdAt: Date
}

/**
 * Leases messages that are due, of every organization, and counts the attempt. It is committed before the calls: a node
 * that ends loses none, and another sends them again after `leaseUntil`.
 */
export async function leaseDueMessages(
  tx: Tx,
  {
    now,
    leaseUntil,
    limit,
    except,
  }: {
    readonly now: Date
    readonly leaseUntil: Date
    readonly limit: number
    /** Lists the webhooks of which none is leased. */
    readonly except: readonly string[]
  },
): Promise<LeasedMessage[]> {
  return tx.query<LeasedMessage>({
    name: 'lease-outgoing-messages',
    text: `update outgoing_messages m set attempts = m.attempts + 1, next_attempt_at = $2
      from (select org_id, webhook_id, id from outgoing_messages
        where state = 'waiting' and ${isOverSql('next_attempt_at', '$1', '1 day')} and webhook_id <> all ($4::text[])
        order by next_attempt_at limit $3 for update skip locked) due
      where m.org_id = due.org_id and m.webhook_id = due.webhook_id and m.id = due.id
      returning m.org_id as "orgId", m.id, m.webhook_id as "webhookId", m.type, m.data, m.attempts,
        m.created_at as "createdAt"`,
    values: [now, leaseUntil, limit, except],
  })
}

/** Says how an attempt ended. */
export interface EndedAttempt {
  readonly webhookId: string
  readonly id: string
  readonly attempts: number
  readonly state: OutgoingMessage['state']
  readonly status: number | null
  readonly reason: string | null
  readonly nextAttemptAt: Date | null
  readonly sentAt: Date | null
}

/** Records how an attempt ended, unless a later one has begun. */
export async function saveAttempt(tx: Tx, orgId: string, ended: EndedAttempt): Promise<void> {
  await tx.query({
    name: 'save-outgoing-attempt',
    text: `update outgoing_messages set state = $5, status = $6, reason = $7, next_attempt_at = $8, sent_at = $9
      where org_id = $1 and webhook_id = $2 and id = $3 and attempts = $4 and state = 'waiting'`,
    values: [
      orgId,
      ended.webhookId,
      ended.id,
      ended.attempts,
      ended.state,
      ended.status,
      ended.reason,
      ended.nextAttemptAt,
      ended.sentAt,
    ],
  })
}

/** Describes a message to add. */
export interface NewMessage {
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly data: object
  readonly createdAt: Date
}

/** Adds a message that is due. */
export async function insertMessage(
  tx: Tx,
  orgId: string,
  message: NewMessage,
): Promise<OutgoingMessage> {
  const [row] = await tx.query<OutgoingMessage>({
    name: 'insert-outgoing-message',
    text: `insert into outgoing_messages (org_id, id, webhook_id, type, data, created_at, next_attempt_at)
      values ($1, $2, $3, $4, $5, $6, $6) returning ${columns}`,
    values: [
      orgId,
      message.id,
      message.webhookId,
      message.type,
      JSON.stringify(message.data),
      message.createdAt,
    ],
  })
  if (row === undefined) throw new Error('An inserted row is returned')
  return row
}

/** Lists a page of the messages of a webhook, newest first. */
export async function pageMessageRows(
  tx: Tx,
  orgId: string,
  {
    webhookId,
    beforeId,
    limit,
  }: { readonly webhookId: string; readonly beforeId: string | undefined; readonly limit: number },
): Promise<OutgoingMessage[]> {
  return tx.query<OutgoingMessage>({
    name: 'page-outgoing-messages',
    text: `select ${columns} from outgoing_messages
      where org_id = $1 and webhook_id = $2 and ($3::text is null or id < $3) order by id desc limit $4`,
    values: [orgId, webhookId, beforeId ?? null, limit],
  })
}

/** Makes a message due that is not waiting; returns it, or `undefined` when it waits or does not exist. */
export async function requeueMessage(
  tx: Tx,
  orgId: string,
  { webhookId, id, now }: { readonly webhookId: string; readonly id: string; readonly now: Date },
): Promise<OutgoingMessage | undefined> {
  const [row] = await tx.query<OutgoingMessage>({
    name: 'requeue-outgoing-message',
    text: `update outgoing_messages set state = 'waiting', attempts = 0, status = null, reason = null,
        next_attempt_at = $4, sent_at = null
      where org_id = $1 and webhook_id = $2 and id = $3 and state <> 'waiting' returning ${columns}`,
    values: [orgId, webhookId, id, now],
  })
  return row
}

/** Returns whether a webhook has a message with this id. */
export async function hasMessage(
  tx: Tx,
  orgId: string,
  { webhookId, id }: { readonly webhookId: string; readonly id: string },
): Promise<boolean> {
  const rows = await tx.query<{ id: string }>({
    name: 'has-outgoing-message',
    text: 'select id from outgoing_messages where org_id = $1 and webhook_id = $2 and id = $3',
    values: [orgId, webhookId, id],
  })
  return rows.length > 0
}
