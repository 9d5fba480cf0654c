import type { Tx } from '../../store/store.ts'

/** Describes a revocation as it is stored. */
export interface RevocationRow {
  readonly orgId: string
  readonly integrationId: string
  readonly provider: string
  readonly sealed: Buffer
  readonly giveUpAt: Date
  readonly createdAt: Date
}

/** Returns the context that what a revocation needs is sealed for. */
export function revocationContext(orgId: string, integrationId: string): string {
  return `${orgId}|integration_revocations|${integrationId}|sealed`
}

/** Stores a revocation that is to be made. */
export async function insertRevocationRow(tx: Tx, row: RevocationRow): Promise<void> {
  await tx.query({
    name: 'insert-integration-revocation',
    text: `insert into integration_revocations (org_id, integration_id, provider, sealed, state, give_up_at, created_at)
      values ($1, $2, $3, $4, 'pending', $5, $6)
      on conflict (org_id, integration_id) do update set sealed = excluded.sealed, state = 'pending', attempts = 0,
        give_up_at = excluded.give_up_at, created_at = excluded.created_at`,
    values: [row.orgId, row.integrationId, row.provider, row.sealed, row.giveUpAt, row.createdAt],
  })
}

/** Returns the revocation of an integration that is still to be made. */
export async function findRevocationRow(
  tx: Tx,
  { orgId, integrationId }: Pick<RevocationRow, 'orgId' | 'integrationId'>,
): Promise<RevocationRow | undefined> {
  const [row] = await tx.query<RevocationRow>({
    name: 'find-integration-revocation',
    text: `select org_id as "orgId", integration_id as "integrationId", provider, sealed, give_up_at as "giveUpAt",
        created_at as "createdAt"
      from integration_revocations
      where org_id = $1 and integration_id = $2 and state = 'pending' and sealed is not null`,
    values: [orgId, integrationId],
  })
  return row
}

/** Records how a revocation ended, and deletes the credential that it needed. */
export async function endRevocationRow(
  tx: Tx,
  { orgId, integrationId }: Pick<RevocationRow, 'orgId' | 'integrationId'>,
  state: 'revoked' | 'failed',
): Promise<void> {
  await tx.query({
    name: 'end-integration-revocation',
    text: `update integration_revocations set state = $3, sealed = null where org_id = $1 and integration_id = $2`,
    values: [orgId, integrationId, state],
  })
}
