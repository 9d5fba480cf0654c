import type { Tx } from '../../store/store.ts'

/** Describes a change that is live although its proof has failed, or has ended without a result. */
export interface OpenEnd {
  readonly id: string
  readonly state: 'failed' | 'inconclusive'
  readonly schemaId: string
  readonly schema: string
  readonly environment: string
  readonly versionId: string
  readonly version: number
  readonly reason: string | null
  readonly notRestored: string | null
  readonly at: Date
}

/**
 * Lists the changes since a moment that failed and were not restored, and those without a result. A later version of the same
 * configuration ends it: somebody has acted since.
 */
export async function listOpenEnds(tx: Tx, orgId: string, since: Date): Promise<OpenEnd[]> {
  return tx.query({
    name: 'list-open-ends-of-proofs',
    text: `select p.id, p.state, p.schema_id as "schemaId", s.name as schema, e.name as environment, p.version_id as "versionId",
        p.version, p.reason ->> 'detail' as reason, p.not_restored ->> 'detail' as "notRestored", p.ended_at as at
      from proofs p join config_schemas s on s.org_id = $1 and s.id = p.schema_id
      join environments e on e.org_id = $1 and e.id = p.environment_id
      where p.org_id = $1 and p.ended_at > $2
        and (p.state = 'inconclusive' or p.state = 'failed' and coalesce(jsonb_array_length(p.restored), 0) = 0)
        and not exists (select from config_versions v where v.org_id = $1 and v.schema_id = p.schema_id
          and v.environment_id = p.environment_id and v.created_at > p.ended_at)
      order by p.ended_at desc limit 50`,
    values: [orgId, since],
  })
}

/** Describes a signal by which changes are to be proven, and that says nothing. */
export interface SilentSignal {
  readonly id: string
  readonly name: string
  /** Explains it. Null: nothing was ever sent to its address. */
  readonly detail: string | null
  readonly at: Date
}

/**
 * Lists the signals that the policy of an environment names and that have no data: an address to which nothing was sent for a day, and
 * one that could not be read the last time.
 */
export async function listSilentSignals(tx: Tx, orgId: string, now: Date): Promise<SilentSignal[]> {
  return tx.query({
    name: 'list-silent-signals',
    text: `select s.id, s.name, case s.kind when 'alert' then null else s.last ->> 'detail' end as detail,
        case s.kind when 'alert' then s.created_at else coalesce((s.last ->> 'at')::timestamptz, s.created_at) end as at
      from signals s where s.org_id = $1
        and exists (select from environments e where e.org_id = $1 and e.prove -> 'signals' ? s.id)
        and case s.kind when 'alert' then s.heard_at is null and s.created_at < $2::timestamptz - interval '1 day'
          else s.last ->> 'verdict' = 'none' end
      order by lower(s.name)`,
    values: [orgId, now],
  })
}
