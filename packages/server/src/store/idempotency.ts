import { Problem } from '@signalbox/contract'
import { dayMs, forgetSql, type RetentionRule } from './retention-rule.ts'
import { IdempotentReplay, type IdempotencyClaim } from './scope.ts'
import type { Tx } from './store.ts'

interface Recorded {
  readonly request_hash: string
  readonly status: number | null
  readonly body: unknown
}

/**
 * The row blocks a second request with the same key until this transaction ends. Then the first answer exists, or the
 * key is free again.
 */
const claimSql = `insert into idempotency_keys (org_id, credential_id, route, key, request_hash, status)
  values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning key`

const findSql = `select request_hash, status, body from idempotency_keys
  where org_id = $1 and credential_id = $2 and route = $3 and key = $4`

const recordSql = `update idempotency_keys set body = $5
  where org_id = $1 and credential_id = $2 and route = $3 and key = $4`

const releaseSql = `delete from idempotency_keys
  where org_id = $1 and credential_id = $2 and route = $3 and key = $4`

/** Lists what makes a claim unique, in the order of the statements' parameters. */
function identify({ orgId, credentialId, route, key }: IdempotencyClaim): string[] {
  return [orgId ?? '', credentialId, route, key]
}

function inProgress(cause: unknown): Problem {
  const detail =
    'The first request with this Idempotency-Key is still running. Repeat it in a moment.'
  return new Problem('idempotency_in_progress', detail, { retryAfterSeconds: 1, cause })
}

async function insertClaim(tx: Tx, claim: IdempotencyClaim): Promise<boolean> {
  const values = [...identify(claim), claim.requestHash, claim.status]
  try {
    const rows = await tx.query({ name: 'idempotency-claim', text: claimSql, values })
    return rows.length === 1
  } catch (error) {
    const waited = error instanceof Problem && error.code === 'db_unavailable'
    throw waited && isLockTimeout(error.cause) ? inProgress(error.cause) : error
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

/**
 * Claims the key for the transaction `tx`, as its first statement.
 *
 * @throws {IdempotentReplay} when the same request was answered before.
 * @throws {Problem} `idempotency_in_progress`, `idempotency_key_reused`
 */
export async function claimKey(tx: Tx, claim: IdempotencyClaim): Promise<void> {
  if (await insertClaim(tx, claim)) return
  const [recorded] = await tx.query<Recorded>({
    name: 'idempotency-find',
    text: findSql,
    values: identify(claim),
  })
  // The insert met a row whose retention ended before the select.
  if (recorded === undefined) throw inProgress(undefined)
  if (recorded.request_hash !== claim.requestHash) {
    throw new Problem(
      'idempotency_key_reused',
      'Another request has already used this Idempotency-Key. Use a new key for each request.',
    )
  }
  throw new IdempotentReplay(recorded.status ?? claim.status, recorded.body)
}

/** Stores the answer for a repeat of the request, as the last statement of the transaction. */
export async function recordAnswer(
  tx: Tx,
  claim: IdempotencyClaim,
  result: unknown,
): Promise<void> {
  const body = JSON.stringify(claim.record(result) ?? null)
  const values = [...identify(claim), body]
  await tx.query({ name: 'idempotency-record', text: recordSql, values })
}

/** Replaces the answer for a repeat, in a later transaction that knows more. */
export async function reviseAnswer(
  tx: Tx,
  claim: IdempotencyClaim,
  result: unknown,
): Promise<void> {
  await showClaim(tx, claim)
  await recordAnswer(tx, claim, result)
}

/**
 * Frees the key of a request that failed after its transaction was committed, so that a repeat counts as a first
 * request.
 */
export async function releaseKey(tx: Tx, claim: IdempotencyClaim): Promise<void> {
  await showClaim(tx, claim)
  await tx.query({ name: 'idempotency-release', text: releaseSql, values: identify(claim) })
}

/** Makes the claim visible: row level security shows it to its credential alone. */
async function showClaim(tx: Tx, { credentialId }: IdempotencyClaim): Promise<void> {
  const text = `select set_config('app.credential_id', $1, true)`
  await tx.query({ name: 'idempotency-show', text, values: [credentialId] })
}

/**
 * Deletes answers after a day. Until then a repeat gets the first answer (draft-ietf-httpapi-idempotency-key-header
 * §2.6).
 */
export const idempotencyRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-idempotency-keys',
      text: forgetSql('idempotency_keys', 'created_at < $1'),
      values: [before, limit],
    }),
}
