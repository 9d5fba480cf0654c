import type { Tx } from '../store/store.ts'

/** Describes the outcome of a message to a channel, or of a check of it. */
export interface ChannelOutcome {
  readonly channelId: string
  /** The code that the message was refused with; `null`: it was not refused. */
  readonly reason: string | null
  /** When the message arrived; `null`: none did. */
  readonly deliveredAt: Date | null
}

/** Saves how a channel takes messages, where it is the default one. A delivery is recorded once a minute, because every message is one. */
export async function saveDefaultChannelHealth(
  tx: Tx,
  orgId: string,
  { channelId, reason, deliveredAt }: ChannelOutcome,
): Promise<void> {
  await tx.query({
    name: 'save-default-channel-health',
    text: `update integrations
      set settings = (settings::jsonb || jsonb_build_object('defaultChannelReason', $3::text,
        'defaultChannelDeliveredAt', coalesce($4::text, settings ->> 'defaultChannelDeliveredAt')))::json
      where org_id = $1 and kind = 'chat' and state <> 'disconnected' and settings ->> 'defaultChannelId' = $2
        and (settings ->> 'defaultChannelReason' is distinct from $3
          or coalesce((settings ->> 'defaultChannelDeliveredAt')::timestamptz, '-infinity')
            < $4::text::timestamptz - interval '1 minute')`,
    values: [orgId, channelId, reason, deliveredAt?.toISOString() ?? null],
  })
}

/** Returns whether an organization has a chat that messages may get to. */
export async function isChatConnected(tx: Tx, orgId: string): Promise<boolean> {
  const [row] = await tx.query<{ connected: boolean }>({
    name: 'is-chat-connected',
    text: `select exists (select from integrations where org_id = $1 and kind = 'chat'
      and state not in ('pending', 'disconnecting', 'disconnected')) as connected`,
    values: [orgId],
  })
  return row?.connected ?? false
}

/** Saves where a chat is called from now on. Returns whether that is news. */
export async function saveLearnedUrl(
  tx: Tx,
  { orgId, integrationId }: { readonly orgId: string; readonly integrationId: string },
  url: string,
): Promise<boolean> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'save-learned-url',
    text: `update integrations set settings = (settings::jsonb || jsonb_build_object('learnedUrl', $3::text))::json
      where org_id = $1 and id = $2 and state <> 'disconnected' and settings ->> 'learnedUrl' is distinct from $3
      returning id`,
    values: [orgId, integrationId, url],
  })
  return rows.length > 0
}
