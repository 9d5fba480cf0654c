import type { Tx } from '../../store/store.ts'
import type { Protection } from './environment-rows.ts'

/** What a write has to know of an environment beyond its values. */
export interface EnvironmentPolicy {
  readonly id: string
  readonly name: string
  readonly protection: Protection
  /** Whether new versions are told of in a chat. */
  readonly isWatched: boolean
}

/** The policies of environments by id. Those of which nothing is asked and nobody is told are left out. */
export type EnvironmentPolicies = ReadonlyMap<string, EnvironmentPolicy>

/** Environments of production are watched while a chat is connected. */
export async function listEnvironmentPolicies(tx: Tx, orgId: string): Promise<EnvironmentPolicies> {
  const rows = await tx.query<EnvironmentPolicy>({
    name: 'list-environment-policies',
    text: `select id, name, json_build_object('confirm', confirm_changes, 'comment', comment_changes) as protection,
        (production and exists (select from integrations where org_id = $1 and kind = 'chat'
          and state not in ('pending', 'disconnecting', 'disconnected'))) as "isWatched"
      from environments where org_id = $1 and (production or confirm_changes or comment_changes)`,
    values: [orgId],
  })
  return new Map(rows.map((row) => [row.id, row]))
}
