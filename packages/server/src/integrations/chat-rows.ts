import type { Tx } from '../store/store.ts'

/** Saves whether messages get to a channel, where it is the default one. Without a reason: they do. */
export async function saveDefaultChannelHealth(
  tx: Tx,
  orgId: string,
  { channelId, reason }: { readonly channelId: string; readonly reason: string | null },
): Promise<void> {
  await tx.query({
    name: 'save-default-channel-health',
    text: `update integrations
      set settings = (settings::jsonb || jsonb_build_object('defaultChannelReason', $3::text))::json
      where org_id = $1 and kind = 'chat' and state <> 'disconnected' and settings ->> 'defaultChannelId' = $2
        and settings ->> 'defaultChannelReason' is distinct from $3`,
    values: [orgId, channelId, reason],
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
