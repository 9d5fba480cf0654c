import type { ProofTerms, SignalKind } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import type { TestStore } from '../../store/testing/test-database.ts'

interface ProofOf {
  readonly orgId: string
  readonly versionId: string
  /** Maps the names of signals to their kinds, or to a whole `spec`. */
  readonly signals?: Readonly<Record<string, SignalKind | { readonly kind: SignalKind }>>
  readonly terms?: Partial<ProofTerms>
}

/** Adds the proof of a version as it is while the version is watched, and its signals. */
export async function addProof(
  { asOwner }: Pick<TestStore, 'asOwner'>,
  { orgId, versionId, signals = { 'api-errors': 'prometheus' }, terms }: ProofOf,
): Promise<string> {
  const now = new Date()
  const ids: string[] = []
  for (const [name, of] of Object.entries(signals)) {
    const spec = typeof of === 'string' ? { kind: of } : of
    const [row] = await asOwner<{ id: string }>(
      `insert into signals (org_id, id, name, kind, spec, created_at, updated_at, created_by) values ($1, $2, $3, $4, $5, $6, $6, '{}')
        on conflict (org_id, lower(name)) do update set spec = excluded.spec returning id`,
      [orgId, newId('sig', now), name, spec.kind, spec, now],
    )
    ids.push(row?.id ?? '')
  }
  const id = newId('prf', now)
  const base = { minutes: 15, failures: '3 of 5', noData: 'hold', onFailure: 'restore' }
  await asOwner(
    `insert into proofs (org_id, id, schema_id, environment_id, version, version_id, write_id, origins, reached, keys, killed_keys, terms,
        state, started_at, watched_at, until)
      select org_id, $2, schema_id, environment_id, version, id, id, '[]', '{}',
        array(select c ->> 'key' from json_array_elements(changes) c where c ->> 'key' is not null), '{}', $4, 'watching',
        $5::timestamptz, $5, $5::timestamptz + interval '15 minutes'
      from config_versions where org_id = $1 and id = $3`,
    [orgId, id, versionId, { ...base, signals: ids, ...terms }, now],
  )
  return id
}
