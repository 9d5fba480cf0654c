import type { Tx } from '../store/store.ts'

/** The environments of production, where changes are told in a chat; none while no chat is connected. */
export async function listWatchedEnvironments(tx: Tx, orgId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'list-watched-environments',
    text: `select id from environments where org_id = $1 and production
      and exists (select from integrations where org_id = $1 and kind = 'chat' and state not in ('pending', 'disconnecting', 'disconnected'))`,
    values: [orgId],
  })
  return new Set(rows.map(({ id }) => id))
}
