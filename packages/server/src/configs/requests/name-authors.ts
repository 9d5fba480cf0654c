import type { Author } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'
import type { Difference } from './keep-effects.ts'
import type { Conflict } from './request.ts'

interface LastChange {
  environmentId: string
  schemaId: string
  key: string
  by: Author
  at: Date
}

const lastChangesSql = `
select v.environment_id as "environmentId", v.schema_id as "schemaId", coalesce(p.key, '') as key, v.author as by, v.created_at as at
from unnest($2::text[], $3::text[], $4::text[]) as p (environment_id, schema_id, key)
join lateral (
  select environment_id, schema_id, author, created_at from config_versions
  where org_id = $1 and schema_id = p.schema_id and environment_id = p.environment_id and p.key = any (changed_keys)
  order by version desc limit 1
) v on true`

/** Adds to each difference who has changed its key last, and when. */
export async function nameAuthors(
  tx: Tx,
  orgId: string,
  differences: readonly Difference[],
): Promise<Conflict[]> {
  const keyed = differences.flatMap(({ environmentId, schemaId, key }) =>
    schemaId === null || key === null ? [] : [{ environmentId, schemaId, key }],
  )
  const rows = await tx.query<LastChange>({
    name: 'find-last-changes',
    text: lastChangesSql,
    values: [
      orgId,
      keyed.map(({ environmentId }) => environmentId),
      keyed.map(({ schemaId }) => schemaId),
      keyed.map(({ key }) => key),
    ],
  })
  const changes = new Map(rows.map((row) => [nameOf(row), row]))
  return differences.map((difference) => {
    const last = changes.get(nameOf(difference))
    return { ...difference, by: last?.by ?? null, at: last?.at.toISOString() ?? null }
  })
}

function nameOf({
  environmentId,
  schemaId,
  key,
}: Pick<Difference, 'environmentId' | 'schemaId' | 'key'>): string {
  return JSON.stringify([environmentId, schemaId, key])
}
