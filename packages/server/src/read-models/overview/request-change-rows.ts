import type { RequestState } from '@signalbox/contract'
import type { Author } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'
import {
  clause,
  moment,
  select,
  textClause,
  type ChangeRow,
  type ListChangeRows,
} from './change-filter.ts'

/** Describes the request that a change was asked for in. */
export interface RequestOfChange {
  readonly id: string
  readonly number: number
  readonly title: string
  /** Holds what is stored. While people decide it is `waiting`. */
  readonly state: RequestState | 'waiting'
  readonly environmentIds: readonly string[]
  readonly versions: number
  readonly approvedBy: readonly string[]
  readonly overridden: boolean
}

/** Describes a request that made no version, as an entry of the timeline. */
export interface RequestChange extends ChangeRow {
  readonly kind: 'request'
  readonly author: Author
  readonly reason: string
  readonly request: RequestOfChange
}

/** Returns SQL for a request as changes have it. Those have approved whose last verdict on its last revision says so. */
export const requestOf = (
  r: string,
) => `json_build_object('id', ${r}.id, 'number', ${r}.number, 'title', ${r}.title,
  'state', ${r}.state, 'environmentIds', ${r}.environment_ids, 'overridden', ${r}.overridden is not null,
  'versions', coalesce(jsonb_array_length(${r}.applied_versions), 0),
  'approvedBy', array(select l.name from (
    select distinct on (w.user_id) w.name, w.verdict from change_request_reviews w
    where w.org_id = ${r}.org_id and w.request_id = ${r}.id and w.revision = ${r}.revision and w.verdict <> 'comment'
    order by w.user_id, w.position desc) l where l.verdict = 'approve' order by l.name))`

const hasKey = (
  p: string,
) => `exists (select from change_request_revisions v, jsonb_array_elements(v.effects) e
  where v.org_id = $1 and v.request_id = r.id and v.revision = r.revision and e ->> 'key' = ${p})`

/** Lists the change requests that made no version, by the time of their last change, newest first. */
export async function listRequestChanges(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  of: ListChangeRows,
): Promise<RequestChange[]> {
  const columns = `concat_ws(' ', r.title, r.reason)`
  const { name, where, values } = select('request', orgId, of, [
    ...clause('environment', of.environmentId, (p) => `${p}::text = any (r.environment_ids)`),
    ...clause('from', of.from, (p) => `r.updated_at >= ${p}`),
    ...clause('author', of.author, (p) => `lower(r.author ->> 'name') = ${p}`),
    ...clause('key', of.key, hasKey),
    ...textClause(of.text, { table: 'change_requests', alias: 'r', columns }),
  ])
  return tx.query<RequestChange>({
    name,
    text: `select 'request' as kind, r.id, r.updated_at as at, (extract(epoch from r.updated_at) * 1000000)::bigint as micros,
        case when cardinality(r.environment_ids) = 1 then r.environment_ids[1] end as "environmentId",
        r.author, r.reason, ${requestOf('r')} as request
      from change_requests r
      where r.org_id = $1 and (r.state <> 'applied' or r.applied_versions = '[]') and (r.updated_at, r.id) < (${moment}, $3) ${where}
      order by r.updated_at desc, r.id desc limit $4`,
    values,
  })
}
