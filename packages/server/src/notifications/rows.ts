import { newId } from '../crypto/ids.ts'
import type { Tx } from '../store/store.ts'
import { isOverSql } from '../jobs/stored-pause.ts'
import type { Progress } from './sending/notification-protocol.ts'

/** Names the subject of a notification. A deployment has three: its message, and in its thread the details and the failure. */
export type SubjectKind =
  | 'deployment'
  | 'deployment_details'
  | 'deployment_failure'
  | 'integration'
  | 'configuration'
  | 'change_request'

/** Names a notification of an organization. */
export interface NotificationRef {
  readonly orgId: string
  readonly id: string
}

/** Holds a notification as it is stored. */
export interface NotificationRow extends Progress {
  readonly id: string
  readonly subjectKind: SubjectKind
  readonly subjectId: string
  /** Empty: the default channel. */
  readonly routeId: string
  /** Names the channel, or `null` while none is chosen. */
  readonly channelId: string | null
  readonly contentHash: string
  /** Where people read the message, as the provider says. */
  readonly messageUrl: string | null
  readonly reportedFailure: boolean
  /** Grows with each lease. */
  readonly fence: number
  /** Null where its node has ended. */
  readonly leaseUntil: Date | null
  /** The life of the node that has the lease (`nodeId` of the jobs). */
  readonly leaseHolder: string | null
  /** Not before. */
  readonly holdUntil: Date | null
}

interface StoredRow extends Omit<NotificationRow, 'reference'> {
  readonly messageId: string | null
  readonly messageTag: string | null
}

const columns = `id, subject_kind as "subjectKind", subject_id as "subjectId", route_id as "routeId",
  desired_rev as "desiredRev", sent_rev as "sentRev", content_hash as "contentHash", state, reason,
  channel_id as "channelId", message_id as "messageId", message_tag as "messageTag", message_url as "messageUrl", ambiguous,
  first_tried_at as "triedAt", generation, form, frozen,
  reported_failure as "reportedFailure", failures, fence, lease_holder as "leaseHolder",
  case when not node_has_ended(lease_holder) then lease_until end as "leaseUntil", hold_until as "holdUntil"`

function toRow({ messageId, messageTag, ...row }: StoredRow): NotificationRow {
  const { channelId } = row
  if (messageId === null || channelId === null) return { ...row, reference: null }
  return { ...row, reference: { channelId, messageId, tag: messageTag ?? undefined } }
}

/** Inserts the missing rows, one for each subject and route, without content yet. */
export async function insertNotificationRows(
  tx: Tx,
  orgId: string,
  rows: readonly Pick<NotificationRow, 'subjectKind' | 'subjectId' | 'routeId'>[],
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'insert-notifications',
    text: `insert into notifications (org_id, id, subject_kind, subject_id, route_id, desired_rev, created_at, updated_at)
      select $1, of.id, of."subjectKind", of."subjectId", of."routeId", 0, $3, $3
      from json_to_recordset($2::json) as of (id text, "subjectKind" text, "subjectId" text, "routeId" text)
      on conflict (org_id, subject_kind, subject_id, route_id) do nothing`,
    values: [orgId, JSON.stringify(rows.map((row) => ({ ...row, id: newId('ntf', now) }))), now],
  })
}

/** Locks the notifications of a subject for the rest of the transaction, in the order of their ids. */
export async function lockNotificationRows(
  tx: Tx,
  orgId: string,
  subjectId: string,
): Promise<NotificationRow[]> {
  const rows = await tx.query<StoredRow>({
    name: 'lock-notifications',
    text: `select ${columns} from notifications where org_id = $1 and subject_id = $2 order by id for update`,
    values: [orgId, subjectId],
  })
  return rows.map(toRow)
}

/** Lists the notifications of a subject, in the order of their ids. */
export async function listNotificationRows(
  tx: Tx,
  orgId: string,
  subjectId: string,
): Promise<NotificationRow[]> {
  const rows = await tx.query<StoredRow>({
    name: 'list-notifications',
    text: `select ${columns} from notifications where org_id = $1 and subject_id = $2 order by id`,
    values: [orgId, subjectId],
  })
  return rows.map(toRow)
}

/** Locks a notification for the rest of the transaction. */
export async function lockNotificationRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<NotificationRow | undefined> {
  const [row] = await tx.query<StoredRow>({
    name: 'lock-notification',
    text: `select ${columns} from notifications where org_id = $1 and id = $2 for update`,
    values: [orgId, id],
  })
  return row === undefined ? undefined : toRow(row)
}

/** Finds the message in whose thread the others of its subject stand. */
export async function findParentRow(
  tx: Tx,
  orgId: string,
  { subjectId, routeId }: Pick<NotificationRow, 'subjectId' | 'routeId'>,
): Promise<NotificationRow | undefined> {
  const [row] = await tx.query<StoredRow>({
    name: 'find-parent-notification',
    text: `select ${columns} from notifications
      where org_id = $1 and subject_kind = 'deployment' and subject_id = $2 and route_id = $3`,
    values: [orgId, subjectId, routeId],
  })
  return row === undefined ? undefined : toRow(row)
}

/**
 * Writes rows that this transaction has locked. The first sending counts for one generation of a message, so that no edit moves it.
 */
export async function saveNotificationRows(
  tx: Tx,
  orgId: string,
  rows: readonly NotificationRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx.query({
    name: 'save-notifications',
    text: `update notifications as n set desired_rev = of."desiredRev", sent_rev = of."sentRev",
      content_hash = of."contentHash", state = of.state, reason = of.reason, channel_id = of."channelId",
      message_id = of."messageId", message_tag = of."messageTag", message_url = of."messageUrl", ambiguous = of.ambiguous,
      first_tried_at = of."triedAt", generation = of.generation, form = of.form,
      frozen = of.frozen, reported_failure = of."reportedFailure", failures = of.failures, fence = of.fence,
      lease_until = of."leaseUntil", lease_holder = of."leaseHolder", hold_until = of."holdUntil", updated_at = $3,
      first_sent_at = case when of.generation = n.generation then
        coalesce(n.first_sent_at, case when of."messageId" is not null then $3::timestamptz end) end,
      state_since = case when of.state = n.state then n.state_since else $3 end
      from json_to_recordset($2::json) as of (id text, "desiredRev" integer, "sentRev" integer, "contentHash" text,
        state text, reason text, "channelId" text, "messageId" text, "messageTag" text, "messageUrl" text, ambiguous boolean,
        "triedAt" timestamptz, generation integer, form text,
        frozen boolean, "reportedFailure" boolean, failures integer, fence integer, "leaseUntil" timestamptz,
        "leaseHolder" text, "holdUntil" timestamptz)
      where n.org_id = $1 and n.id = of.id`,
    values: [
      orgId,
      JSON.stringify(
        rows.map(({ reference, ...row }) => ({
          ...row,
          messageId: reference?.messageId,
          messageTag: reference?.tag,
        })),
      ),
      now,
    ],
  })
}

/** Lists messages of any organization, but for some, that are behind although no worker is at them: their jobs were lost. */
export async function listBehindRows(
  tx: Tx,
  {
    now,
    except,
    limit,
  }: { readonly now: Date; readonly except: readonly string[]; readonly limit: number },
): Promise<NotificationRef[]> {
  return tx.query({
    name: 'list-behind-notifications',
    text: `select org_id as "orgId", id from notifications
      where id <> all ($2::text[]) and desired_rev > sent_rev and state in ('wanted', 'sending', 'live')
        and ${isOverSql('hold_until', '$1')} and (lease_until is null or lease_until < $1 or node_has_ended(lease_holder))
      order by hold_until nulls first limit $3`,
    values: [now, except, limit],
  })
}

/** Locks the notifications that wait for a person, for the rest of the transaction; `routeId` narrows them to one route. */
export async function lockWaitingRows(
  tx: Tx,
  orgId: string,
  { routeId, since }: { readonly routeId: string | null; readonly since: Date },
): Promise<NotificationRow[]> {
  const rows = await tx.query<StoredRow>({
    name: 'lock-waiting-notifications',
    text: `select ${columns} from notifications
      where org_id = $1 and state in ('held', 'broken') and ($2::text is null or route_id = $2)
        and (message_id is not null or created_at > $3)
      order by id for update limit 1000`,
    values: [orgId, routeId, since],
  })
  return rows.map(toRow)
}
