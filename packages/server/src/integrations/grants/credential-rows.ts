import type { IntegrationKind } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import { isOverSql } from '../../jobs/stored-pause.ts'

/** Describes the stored credential of an integration. */
export interface CredentialRow {
  /** Grows with each refresh; part of what the seal authenticates. */
  readonly generation: number
  readonly sealed: Buffer
  readonly accessExpiresAt: Date | null
  readonly refreshExpiresAt: Date | null
  /** The end of the lease of the node that refreshes it. */
  readonly leaseUntil: Date | null
  readonly failures: number
  /** Counts the rejections that may not be final. */
  readonly rejections: number
  /** When the first of the failures was; null after a renewal. */
  readonly failingSince: Date | null
  /** Nobody renews it before. */
  readonly retryAt: Date | null
}

interface CredentialRef {
  readonly orgId: string
  readonly integrationId: string
}

const columns = `generation, sealed, access_expires_at as "accessExpiresAt", refresh_expires_at as "refreshExpiresAt",
  lease_until as "leaseUntil", failures, rejections,
  failing_since as "failingSince", retry_at as "retryAt"`

/** Finds the stored credential of an integration. */
export async function findCredentialRow(
  tx: Tx,
  { orgId, integrationId }: CredentialRef,
): Promise<CredentialRow | undefined> {
  const [row] = await tx.query<CredentialRow>({
    name: 'find-integration-credential',
    text: `select ${columns} from integration_credentials where org_id = $1 and integration_id = $2`,
    values: [orgId, integrationId],
  })
  return row
}

/** Lists, of any organization, credentials in use whose refresh token ends before `before`, those that end first. */
export async function listEndingCredentials(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<(CredentialRef & { readonly kind: IntegrationKind })[]> {
  return tx.query({
    name: 'list-ending-credentials',
    text: `select c.org_id as "orgId", c.integration_id as "integrationId", i.kind
      from integration_credentials c join integrations i on i.org_id = c.org_id and i.id = c.integration_id
      where c.refresh_expires_at < $1 and i.state in ('connected', 'degraded')
      order by c.refresh_expires_at limit $2`,
    values: [before, limit],
  })
}

/** Replaces the credential of an integration by one that was just granted. */
export async function putCredentialRow(
  tx: Tx,
  { orgId, integrationId }: CredentialRef,
  row: Pick<CredentialRow, 'generation' | 'sealed' | 'accessExpiresAt' | 'refreshExpiresAt'>,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'put-integration-credential',
    text: `insert into integration_credentials (org_id, integration_id, generation, sealed, access_expires_at,
        refresh_expires_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (org_id, integration_id) do update set generation = excluded.generation, sealed = excluded.sealed,
        access_expires_at = excluded.access_expires_at, refresh_expires_at = excluded.refresh_expires_at,
        lease_until = null, failures = 0, rejections = 0, failing_since = null, retry_at = null, updated_at = excluded.updated_at`,
    values: [
      orgId,
      integrationId,
      row.generation,
      row.sealed,
      row.accessExpiresAt,
      row.refreshExpiresAt,
      now,
    ],
  })
}

/** Describes a lease to refresh a generation of a credential. */
export interface NewLease {
  readonly generation: number
  readonly leaseMs: number
  /** The life of the node (`nodeId` of the jobs), with which the lease ends. */
  readonly holder: string
  readonly now: Date
}

/**
 * Takes the lease to refresh a credential: only one caller gets it, on all nodes. By the database's clock, since nodes
 * disagree about the time; one that ends later than this one is of a clock that was ahead. Nobody gets it during the pause after a failure. Returns whether the caller has it.
 */
export async function takeLease(
  tx: Tx,
  { orgId, integrationId }: CredentialRef,
  { generation, leaseMs, holder, now }: NewLease,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'take-credential-lease',
    text: `update integration_credentials set lease_until = clock_timestamp() + make_interval(secs => $4 / 1000.0),
        lease_holder = $5
      where org_id = $1 and integration_id = $2 and generation = $3
        and (lease_until is null or node_has_ended(lease_holder)
          or lease_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => $4 / 1000.0))
        and ${isOverSql('retry_at', '$6')} returning 1`,
    values: [orgId, integrationId, generation, leaseMs, holder, now],
  })
  return rows.length === 1
}

/** Stores a refreshed grant, unless another generation was stored in the meantime. Returns whether it did. */
export async function storeRefreshed(
  tx: Tx,
  { orgId, integrationId }: CredentialRef,
  row: Pick<CredentialRow, 'generation' | 'sealed' | 'accessExpiresAt' | 'refreshExpiresAt'>,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'store-refreshed-credential',
    text: `update integration_credentials set generation = $3, sealed = $4, access_expires_at = $5, refresh_expires_at = $6,
        lease_until = null, failures = 0, rejections = 0, failing_since = null, retry_at = null, updated_at = $7
      where org_id = $1 and integration_id = $2 and generation = $3 - 1 returning 1`,
    values: [
      orgId,
      integrationId,
      row.generation,
      row.sealed,
      row.accessExpiresAt,
      row.refreshExpiresAt,
      now,
    ],
  })
  return rows.length === 1
}

/** Describes how a renewal failed. */
export interface FailedRenewal {
  readonly generation: number
  readonly rejections: number
  readonly retryAt: Date | null
  readonly now: Date
}

/** Releases the lease after a refresh that failed, and keeps until when nobody tries it. */
export async function releaseLease(
  tx: Tx,
  { orgId, integrationId }: CredentialRef,
  { generation, rejections, retryAt, now }: FailedRenewal,
): Promise<void> {
  await tx.query({
    name: 'release-credential-lease',
    text: `update integration_credentials set lease_until = null, failures = failures + 1, rejections = $4,
        retry_at = $5, failing_since = coalesce(failing_since, $6)
      where org_id = $1 and integration_id = $2 and generation = $3`,
    values: [orgId, integrationId, generation, rejections, retryAt, now],
  })
}

/** Deletes the stored credential of an integration. */
export async function deleteCredentialRow(
  tx: Tx,
  { orgId, integrationId }: CredentialRef,
): Promise<CredentialRow | undefined> {
  const [row] = await tx.query<CredentialRow>({
    name: 'delete-integration-credential',
    text: `delete from integration_credentials where org_id = $1 and integration_id = $2 returning ${columns}`,
    values: [orgId, integrationId],
  })
  return row
}
