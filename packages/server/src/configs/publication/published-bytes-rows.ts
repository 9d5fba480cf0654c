import type { Tx } from '../../store/store.ts'
import type { Publication } from '../../config-model/plan-publication.ts'

/** Describes the current snapshots of an organization, and those of them that a publication replaces. */
export interface ReplacedBytes {
  readonly bytes: number
  readonly replacedBytes: number
}

/** `octet_length` of a text reads its size and not the text. */
const currentSql = `
  select s.schema_id, s.environment_id, 'server' as audience,
    octet_length(s.body) + coalesce(octet_length(s.sealed_secrets), 0) as bytes
  from current_values h
  join server_snapshots s on s.org_id = h.org_id and s.schema_id = h.schema_id and s.environment_id = h.environment_id
    and s.version = h.version
  where $1::text is null or h.org_id = $1
  union all
  select s.schema_id, s.environment_id, 'browser', octet_length(s.body)
  from current_values h
  join browser_snapshots s on s.org_id = h.org_id and s.schema_id = h.schema_id and s.environment_id = h.environment_id
    and s.version = h.browser_version
  where $1::text is null or h.org_id = $1`

/** Counts the bytes of the current snapshots of an organization, and of those that `publication` replaces. */
export async function countReplacedBytes(
  tx: Tx,
  orgId: string,
  { browsers, servers }: Publication,
): Promise<ReplacedBytes> {
  const replaced = [
    ...browsers.map((of) => ({ ...of, audience: 'browser' })),
    ...servers.map((of) => ({ ...of, audience: 'server' })),
  ]
  const [row] = await tx.query<ReplacedBytes>({
    name: 'count-replaced-bytes',
    text: `select coalesce(sum(c.bytes), 0) as bytes,
        coalesce(sum(c.bytes) filter (where r.audience is not null), 0) as "replacedBytes"
      from (${currentSql}) c
      left join unnest($2::text[], $3::text[], $4::text[]) as r (schema_id, environment_id, audience)
        using (schema_id, environment_id, audience)`,
    values: [
      orgId,
      replaced.map(({ schemaId }) => schemaId),
      replaced.map(({ environmentId }) => environmentId),
      replaced.map(({ audience }) => audience),
    ],
  })
  return row ?? { bytes: 0, replacedBytes: 0 }
}

/** Counts the bytes of the current snapshots of all organizations, as maintenance. */
export async function countPublishedBytes(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>({
    name: 'count-published-bytes',
    text: `select coalesce(sum(c.bytes), 0) as bytes from (${currentSql}) c`,
    values: [null],
  })
  return row?.bytes ?? 0
}
