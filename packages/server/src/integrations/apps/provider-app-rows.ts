import type { Maker } from '../../audit/audit-event.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a stored application. Its table is of the server: only maintenance sees it, and it has no organization. */
export interface ProviderAppRow {
  readonly provider: string
  readonly sealed: Buffer
  readonly updatedAt: Date
  readonly updatedBy: Maker
}

const columns = `provider, sealed, updated_at as "updatedAt", updated_by as "updatedBy"`

/** Lists the stored applications, sealed. */
export async function listProviderAppRows(tx: Tx): Promise<ProviderAppRow[]> {
  return tx.query<ProviderAppRow>({
    name: 'list-provider-apps',
    text: `select ${columns} from provider_apps order by provider`,
    values: [],
  })
}

/** Returns a text that differs after every change of an application. Example: `one 3 2026-…, other 1 2026-…`. */
export async function readProviderAppRevisions(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ revisions: string | null }>({
    name: 'read-provider-app-revisions',
    text: `select string_agg(provider || ' ' || revision || ' ' || updated_at, ', ' order by provider) as revisions
      from provider_apps`,
    values: [],
  })
  return row?.revisions ?? ''
}

/** Locks an application until the transaction ends: of two that change it at once, the second sees the first. */
export async function lockProviderAppRow(
  tx: Tx,
  provider: string,
): Promise<ProviderAppRow | undefined> {
  await tx.query({
    name: 'lock-provider-apps',
    text: 'lock table provider_apps in share row exclusive mode',
    values: [],
  })
  const rows = await listProviderAppRows(tx)
  return rows.find((row) => row.provider === provider)
}

/** Stores an application, or replaces the stored one. */
export async function putProviderAppRow(tx: Tx, row: ProviderAppRow): Promise<void> {
  const { provider, sealed, updatedAt, updatedBy } = row
  await tx.query({
    name: 'put-provider-app',
    text: `insert into provider_apps (provider, sealed, updated_at, updated_by) values ($1, $2, $3, $4)
      on conflict (provider) do update set sealed = excluded.sealed, updated_at = excluded.updated_at,
        updated_by = excluded.updated_by, revision = provider_apps.revision + 1`,
    values: [provider, sealed, updatedAt, JSON.stringify(updatedBy)],
  })
}

/** Returns whether there was one. */
export async function deleteProviderAppRow(tx: Tx, provider: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'delete-provider-app',
    text: 'delete from provider_apps where provider = $1 returning provider',
    values: [provider],
  })
  return rows.length > 0
}

/** Uses up the nonce of a registration that came back. Returns whether it was the first time. */
export async function useManifestNonce(
  tx: Tx,
  { nonceHash, now, forgetBefore }: UseManifestNonce,
): Promise<boolean> {
  await tx.query({
    name: 'forget-manifest-nonces',
    text: 'delete from used_manifest_states where used_at < $1',
    values: [forgetBefore],
  })
  const rows = await tx.query({
    name: 'use-manifest-nonce',
    text: `insert into used_manifest_states (nonce_hash, used_at) values ($1, $2) on conflict do nothing
      returning nonce_hash`,
    values: [nonceHash, now],
  })
  return rows.length > 0
}

interface UseManifestNonce {
  readonly nonceHash: Buffer
  readonly now: Date
  /** Older states are refused by their age. */
  readonly forgetBefore: Date
}
