import type { Tx } from '../../store/store.ts'

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
