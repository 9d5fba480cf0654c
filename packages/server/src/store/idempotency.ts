import { Problem } from '@signalbox/contract'
import { dayMs, forgetSql, type RetentionRule } from './retention-rule.ts'
import { IdempotentReplay, type IdempotencyClaim } from './scope.ts'
import type { Tx } from './store.ts'

interface Recorded {
  readonly request_hash: string
  readonly status: number | null
  readonly body: unknown
}

/** The row blocks a second holder of the key until this transaction ends: then it is answered, or free again. */
const claimSql = `insert into idempotency_keys (org_id, credential_id, route, key, request_hash, status)
  values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning key`

const findSql = `select request_hash, status, body from idempotency_keys
  where org_id = $1 and credential_id = $2 and route = $3 and key = $4`

const recordSql = `update idempotency_keys set body = $5
  where org_id = $1 and credential_id = $2 and route = $3 and key = $4`

const releaseSql = `delete from idempotency_keys
  where org_id = $1 and credential_id = $2 and route = $3 and key = $4`

/** What a claim is unique by, in the order of the statements' parameters. */
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
 * Takes the key of `claim` for the transaction `tx`, as its first act.
 *
 * @throws {IdempotentReplay} when the same request was answered before.
 * @throws {Problem} `idempotency_in_progress`, `idempotency_key_reused`
 */
export async function claimKey(tx: Tx, claim: IdempotencyClaim): Promise<void> {
  if (await insertClaim(tx, claim)) return
  const [found] = await tx.query<Recorded>({
    name: 'idempotency-find',
    text: findSql,
    values: identify(claim),
  })
  // It was there a statement ago and its retention ended in between.
  if (found === undefined) throw inProgress(undefined)
  if (found.request_hash !== claim.requestHash) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key came with another request before. Use a fresh key for each request.',
    )
  }
  throw new IdempotentReplay(found.status ?? claim.status, found.body)
}

/** Stores what a repeat of the request is answered, as the last act of the transaction. */
export async function recordAnswer(
  tx: Tx,
  claim: IdempotencyClaim,
  result: unknown,
): Promise<void> {
  const body = JSON.stringify(claim.record(result) ?? null)
  const values = [...identify(claim), body]
  await tx.query({ name: 'idempotency-record', text: recordSql, values })
}

/** Stores another answer for a repeat, in a transaction after the one that claimed the key: more is known by then. */
export async function reviseAnswer(
  tx: Tx,
  claim: IdempotencyClaim,
  result: unknown,
): Promise<void> {
  await showClaim(tx, claim)
  await recordAnswer(tx, claim, result)
}

/** Frees the key of a request that came to nothing after its transaction was committed: a repeat is a first again. */
export async function releaseKey(tx: Tx, claim: IdempotencyClaim): Promise<void> {
  await showClaim(tx, claim)
  await tx.query({ name: 'idempotency-release', text: releaseSql, values: identify(claim) })
}

/** Row level security shows a claim to its credential alone. */
async function showClaim(tx: Tx, { credentialId }: IdempotencyClaim): Promise<void> {
  const text = `select set_config('app.credential_id', $1, true)`
  await tx.query({ name: 'idempotency-show', text, values: [credentialId] })
}

/** Forgets answers that are a day old. A repeat until then has the first answer (draft-ietf-httpapi-idempotency-key-header §2.6). */
export const idempotencyRetention: RetentionRule = {
  keptMs: dayMs,
  forget: (tx, before, limit) =>
    tx.query({
      name: 'forget-idempotency-keys',
      text: forgetSql('idempotency_keys', 'created_at < $1'),
      values: [before, limit],
    }),
}
