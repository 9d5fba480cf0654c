import type { Tx } from '../../store/store.ts'

/** Describes a message as people see it: its channel, its state, and how often it was sent. */
export interface ShownMessageRow {
  readonly id: string
  readonly routeId: string
  /** `null`: there is no channel yet, or the name of an earlier one is not known any more. */
  readonly channelName: string | null
  /** Names the chat that the organization has, or had last. */
  readonly provider: string | null
  readonly url: string | null
  readonly state: 'wanted' | 'sending' | 'live' | 'held' | 'broken' | 'gone'
  /** A code of the provider. */
  readonly reason: string | null
  /** Revisions that were sent, the first one included. */
  readonly sentRevision: number
  readonly updatedAt: Date
  /** When it was sent for the first time, or came into another state; until then, when it was wanted. */
  readonly happenedAt: Date
}

const messagesShown = 50

// A message keeps the id of its channel alone. A connection that ended still has the name of its default channel.
const messageColumns = `n.id, n.route_id as "routeId",
  case coalesce(n.channel_id, r.channel_id, c.settings ->> 'defaultChannelId')
    when r.channel_id then r.channel_name
    when c.settings ->> 'defaultChannelId' then c.settings ->> 'defaultChannelName'
    else (select e.settings ->> 'defaultChannelName' from integrations e
      where e.org_id = n.org_id and e.kind = 'chat' and e.settings ->> 'defaultChannelId' = n.channel_id
      order by e.created_at desc limit 1)
  end as "channelName",
  ${latestChatProvider('n.org_id')} as provider,
  case when n.message_id is not null then n.message_url end as url, n.state, n.reason,
  n.sent_rev as "sentRevision", n.updated_at as "updatedAt",
  case when n.state in ('held', 'broken', 'gone') then coalesce(n.state_since, n.updated_at)
    else coalesce(n.first_sent_at, n.created_at) end as "happenedAt"`

const messageTables = `notifications n
  left join notification_routes r on r.org_id = n.org_id and r.id = n.route_id
  left join integrations c on c.org_id = n.org_id and c.kind = 'chat' and c.state <> 'disconnected'`

/** Lists the messages of a deployment, one for each route. */
export async function listShownMessages(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<ShownMessageRow[]> {
  return tx.query<ShownMessageRow>({
    name: 'list-shown-messages',
    text: `select ${messageColumns} from ${messageTables}
      where n.org_id = $1 and n.subject_kind = 'deployment' and n.subject_id = $2
      order by n.route_id limit ${messagesShown}`,
    values: [orgId, id],
  })
}

/** Finds a message by its id. */
export async function findShownMessage(
  tx: Tx,
  orgId: string,
  notificationId: string,
): Promise<ShownMessageRow | undefined> {
  const [row] = await tx.query<ShownMessageRow>({
    name: 'find-shown-message',
    text: `select ${messageColumns} from ${messageTables} where n.org_id = $1 and n.id = $2`,
    values: [orgId, notificationId],
  })
  return row
}

/** Returns SQL for the name of the chat that an organization has, or had last. `orgId` is SQL as well. */
function latestChatProvider(orgId: string): string {
  return `(select provider from integrations where org_id = ${orgId} and kind = 'chat'
    order by (state = 'disconnected'), created_at desc limit 1)`
}
