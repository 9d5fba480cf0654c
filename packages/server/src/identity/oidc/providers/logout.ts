import { createHash } from 'node:crypto'
import { decodeJwt, jwtVerify, type JWTPayload } from 'jose'
import type { Store } from '../../../store/store.ts'
import { IssuerUnreachable, type IssuerKeys } from '../../api-keys/service-accounts/issuer-keys.ts'
import {
  deleteProviderSessions,
  listSignInProviderRows,
  noteLogoutToken,
  type SignInProvider,
} from './rows.ts'

export interface LogoutDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  /** Reads the keys that issuers publish, through the egress of members. */
  readonly issuerKeys: Pick<IssuerKeys, 'keysOf'>
  readonly now: () => Date
}

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA']
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** A logout token is sent at once (§2.4 advises two minutes at most). */
const longestAgeSeconds = 300

/**
 * Ends the sessions that a provider of an organization names, on every node at once. Returns what is wrong with the token;
 * `undefined` when it was obeyed.
 *
 * @see OpenID Connect Back-Channel Logout 1.0 §2.6
 */
export async function logoutByProvider(
  deps: LogoutDeps,
  { orgId, token }: { readonly orgId: string; readonly token: string },
): Promise<string | undefined> {
  const { store, now } = deps
  const issuer = readIssuer(token)
  const providers = await store.transaction({ orgId }, (tx) => listSignInProviderRows(tx, orgId))
  const candidates = providers.filter((each) => each.issuer === issuer)
  for (const provider of candidates) {
    const claims = await verify(deps, provider, token)
    if (claims === undefined) continue
    const violation = findViolation(claims)
    if (violation !== undefined) return violation
    const hash = createHash('sha256')
      .update(`${provider.id}|${String(claims.jti)}`)
      .digest()
    const expiresAt = new Date(now().getTime() + 2 * longestAgeSeconds * 1000)
    const { sub: subject = null, sid } = claims
    return store.maintenance(async (tx) => {
      if (!(await noteLogoutToken(tx, { orgId, hash, expiresAt })))
        return 'The token was used before.'
      const named = {
        orgId,
        providerId: provider.id,
        subject,
        sid: typeof sid === 'string' ? sid : null,
      }
      if ((await deleteProviderSessions(tx, named)) > 0) tx.announce('credentials')
      return undefined
    })
  }
  return 'The token is not of a provider of this organization, or not valid.'
}

function readIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

async function verify(
  { issuerKeys, now }: LogoutDeps,
  { issuer, clientId }: SignInProvider,
  token: string,
): Promise<JWTPayload | undefined> {
  try {
    const keys = await issuerKeys.keysOf({ issuer, keys: null, namespace: '', name: '' })
    const { payload } = await jwtVerify(token, keys, {
      algorithms,
      issuer,
      audience: clientId,
      currentDate: now(),
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: longestAgeSeconds,
      clockTolerance: 30,
    })
    return payload
  } catch (error) {
    if (error instanceof IssuerUnreachable) throw error
    return undefined
  }
}

function findViolation({ events, nonce, sub, sid, jti }: JWTPayload): string | undefined {
  const event: unknown = Reflect.get(Object(events), logoutEvent)
  if (typeof event !== 'object' || event === null) return 'The token is about no logout.'
  if (nonce !== undefined) return 'A logout token has no nonce.'
  if (typeof jti !== 'string') return 'The token has no jti.'
  return typeof sub === 'string' || typeof sid === 'string' ? undefined : 'The token names nobody.'
}
