import type { Tx } from '../../store/store.ts'

/** Describes a deployment that waits for people, or that somebody has let go on. */
export interface GateAttention {
  readonly id: string
  readonly state: string
  readonly repository: string
  readonly sha: string
  readonly environment: string
  readonly waitedFor: string | null
  readonly by: string | null
  readonly comment: string | null
  readonly at: Date
}

/**
 * Lists the deployments that have waited for the approval of people since before `until`, and those that somebody has let go on
 * since `since` although their rules were not met. The newest first; at most twenty.
 */
export async function listGateAttention(
  tx: Tx,
  orgId: string,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<GateAttention[]> {
  return tx.query<GateAttention>({
    name: 'list-gate-attention',
    text: `select g.id, g.state, r.full_name as repository, g.sha, coalesce(e.name, g.host_environment) as environment,
        g.waited_for as "waitedFor", g.decided_by ->> 'name' as by, g.comment, coalesce(g.decided_at, g.asked_at) as at
      from gate_decisions g join repositories r on r.org_id = g.org_id and r.id = g.repository_id
      left join environments e on e.org_id = g.org_id and e.id = g.environment_id
      where g.org_id = $1 and (g.state = 'overridden' and g.decided_at > $2
        or g.state = 'waiting' and g.asked_at < $3 and exists (select from jsonb_array_elements(g.reasons) as w (reason)
          where w.reason ->> 'code' = 'approvals' and w.reason ->> 'state' = 'waiting' and w.reason -> 'isWatched' = 'false'))
      order by at desc limit 20`,
    values: [orgId, since, until],
  })
}
