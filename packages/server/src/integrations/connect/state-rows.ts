import type { Tx } from '../../store/store.ts'

/** Describes an authorization on its way through the provider, as it is stored. */
export interface AuthorizationRow {
  readonly orgId: string
  readonly nonceHash: Buffer
  readonly userId: string
  readonly provider: string
  readonly cookieHash: Buffer
  /** The code verifier (RFC 7636), sealed; null where the provider takes none. */
  readonly sealedVerifier: Buffer | null
  readonly returnTo: string | null
  readonly expiresAt: Date
}

/** Stores an authorization that was begun. */
export async function insertAuthorizationRow(
  tx: Tx,
  row: AuthorizationRow,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'insert-oauth-state',
    text: `insert into oauth_states (org_id, nonce_hash, user_id, provider, cookie_hash, sealed_verifier, return_to,
      created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      row.orgId,
      row.nonceHash,
      row.userId,
      row.provider,
      row.cookieHash,
      row.sealedVerifier,
      row.returnTo,
      now,
      row.expiresAt,
    ],
  })
}

/** Consumes a state. `undefined`: it was used before, has expired or never existed. When two callers compete, only one gets it. */
export async function takeAuthorizationRow(
  tx: Tx,
  { orgId, nonceHash }: Pick<AuthorizationRow, 'orgId' | 'nonceHash'>,
  now: Date,
): Promise<AuthorizationRow | undefined> {
  const [row] = await tx.query<AuthorizationRow>({
    name: 'take-oauth-state',
    text: `update oauth_states set used_at = $3 where org_id = $1 and nonce_hash = $2 and used_at is null and expires_at > $3
      returning org_id as "orgId", nonce_hash as "nonceHash", user_id as "userId", provider, cookie_hash as "cookieHash",
        sealed_verifier as "sealedVerifier", return_to as "returnTo", expires_at as "expiresAt"`,
    values: [orgId, nonceHash, now],
  })
  return row
}
