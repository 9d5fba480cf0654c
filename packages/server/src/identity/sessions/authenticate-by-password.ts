import { Problem } from '@signalbox/contract'
import {
  serverChain,
  systemAuthor,
  type AuditAction,
  type AuditRequest,
} from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { verifyPassword } from '../../crypto/passwords.ts'
import { addressSubject } from '../../http/admission/client-address.ts'
import type { Tx } from '../../store/store.ts'
import {
  checkSecondFactor,
  openSealerFor,
  type FactorCheck,
  type SecondFactorDeps,
} from '../second-factor/check-second-factor.ts'
import { findUserByEmail, holdPasswordHash, writeNothing, type UserRow } from '../user-rows.ts'
import type { PasswordGuard } from './password-guard.ts'

export interface ProofDeps extends SecondFactorDeps {
  readonly guard: PasswordGuard
}

/** Describes the password and code that show who a person is. */
export interface Proof {
  readonly email: string
  readonly password: string
  /** Holds the code of the second factor. */
  readonly code?: string | undefined
  readonly request: AuditRequest
  /** Recorded when the proof fails. */
  readonly failure: AuditAction
  /** Returned to the caller for a wrong password. */
  readonly wrongPassword: string
  /** The field that was wrong then. Left out at the sign-in, which does not say whether it was the password. */
  readonly passwordField?: string
}

/** Describes the person, and the factor that was shown beside the password. */
export interface AuthenticatedUser {
  readonly user: UserRow
  readonly secondFactor: 'none' | 'code' | 'recovery_code'
}

type Attempt<T> =
  | { readonly outcome: 'authenticated'; readonly result: T }
  | { readonly outcome: 'changed' }
  | Exclude<FactorCheck, { readonly outcome: 'none' | 'passed' }>

/**
 * Runs `work` for the person who knows the password of an account and, where it has a second factor, a code of it. Takes the code
 * and does the work in one transaction of the server's chain. Whether the account, the password or a second factor exists
 * shows neither in the answer nor in its time to who does not know the password.
 *
 * @throws {Problem} `invalid_credentials`, `second_factor_required`; `rate_limited` and `overloaded` before anything is
 * looked up, `rate_limited` also after many wrong codes; `sealed`
 */
export async function authenticateByPassword<T>(
  deps: ProofDeps,
  proof: Proof,
  work: (tx: Tx, person: AuthenticatedUser) => Promise<T>,
): Promise<T> {
  const { guard, store } = deps
  const attempt = { account: proof.email, network: addressSubject(proof.request.ip) }
  guard.check(attempt)
  const user = await guard.inTurn(attempt, async () => {
    const candidate = await store.transaction({ orgId: null }, (tx) =>
      findUserByEmail(tx, proof.email),
    )
    const isRight = await verifyPassword(candidate?.passwordHash ?? undefined, proof.password)
    if (isRight && candidate !== undefined) return candidate
    guard.recordFailure(attempt)
    await store.transaction({ orgId: serverChain }, (tx) =>
      recordWrongPassword(tx, proof, candidate),
    )
    throw refusePassword(proof)
  })
  const tried = await attemptWork(deps, { proof, user }, work)
  if (tried.outcome === 'authenticated') {
    guard.recordSuccess(attempt)
    return tried.result
  }
  // Without a code nothing was guessed; and nothing is forgiven, or it would make guesses of codes free.
  if (tried.outcome === 'wrong' || tried.outcome === 'changed') guard.recordFailure(attempt)
  throw rejectionOf(tried, proof)
}

interface Candidate {
  readonly proof: Proof
  readonly user: UserRow
}

async function attemptWork<T>(
  deps: ProofDeps,
  { proof, user }: Candidate,
  work: (tx: Tx, person: AuthenticatedUser) => Promise<T>,
): Promise<Attempt<T>> {
  const { code } = proof
  const sealer = await openSealerFor(deps, user.id, code)
  const scope = { orgId: serverChain, userId: user.id }
  return deps.store.transaction(scope, async (tx): Promise<Attempt<T>> => {
    // A concurrent change of the password ends all sessions: the old password must start none after that.
    if ((await holdPasswordHash(tx, user.id)) !== user.passwordHash) return { outcome: 'changed' }
    const submitted = { userId: user.id, code, sealer, now: deps.now() }
    const factor = await checkSecondFactor(tx, submitted)
    if (factor.outcome !== 'none' && factor.outcome !== 'passed') {
      recordRejection(tx, proof, { user, outcome: factor.outcome })
      return factor
    }
    const secondFactor = factor.outcome === 'none' ? factor.outcome : factor.by
    return { outcome: 'authenticated', result: await work(tx, { user, secondFactor }) }
  })
}

/**
 * Records a wrong password of an account. For an address without an account it records nothing, because strangers would
 * fill the audit log, which is never deleted. It commits in both cases, so that the response time does not reveal
 * whether there is an account.
 */
async function recordWrongPassword(tx: Tx, proof: Proof, user: UserRow | undefined): Promise<void> {
  if (user === undefined) await writeNothing(tx)
  else recordFailure(tx, proof, user)
}

function recordFailure(
  tx: Tx,
  { failure, request }: Proof,
  user: UserRow,
  detail: Readonly<Record<string, unknown>> = {},
): void {
  recordAuditEvent(tx, {
    orgId: serverChain,
    // A wrong password need not come from the person.
    actor: systemAuthor,
    action: failure,
    target: { type: 'user', id: user.id, name: user.name },
    detail,
    request,
  })
}

interface Refused {
  readonly user: UserRow
  readonly outcome: 'required' | 'wrong' | 'wait'
}

/** Records that the right password came without a valid code: another person may know it. */
function recordRejection(tx: Tx, proof: Proof, { user, outcome }: Refused): void {
  if (outcome === 'required') {
    recordFailure(tx, { ...proof, failure: 'auth.second_factor_asked' }, user)
  } else {
    recordFailure(tx, proof, user, { secondFactor: true })
  }
}

function refusePassword({ wrongPassword: detail, passwordField: pointer }: Proof): Problem {
  const code = 'invalid_credentials'
  return new Problem(code, detail, pointer ? { errors: [{ pointer, code, detail }] } : {})
}

function rejectionOf(
  tried: Exclude<Attempt<unknown>, { readonly outcome: 'authenticated' }>,
  proof: Proof,
): Problem {
  switch (tried.outcome) {
    case 'changed':
      return refusePassword(proof)
    case 'required': {
      const detail = 'Also send a code from the authenticator, or a recovery code.'
      return new Problem('second_factor_required', detail)
    }
    case 'wrong': {
      const detail = 'The code is wrong or already used. Wait for the next one.'
      return new Problem('invalid_credentials', detail)
    }
    case 'wait': {
      const retryAfterSeconds = Math.ceil(tried.waitMs / 1000)
      const detail = `There were too many wrong codes. Wait ${retryAfterSeconds} s, or use a recovery code.`
      return new Problem('rate_limited', detail, { retryAfterSeconds })
    }
  }
}
