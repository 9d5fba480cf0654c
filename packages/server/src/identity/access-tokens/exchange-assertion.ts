import { decodeJwt, errors, jwtVerify } from 'jose'
import type { Store } from '../../store/store.ts'
import { apiKeyState, type ApiKey } from '../api-keys/api-key.ts'
import { findApiKey } from '../api-keys/rows.ts'
import { findNetworkRejection } from '../../http/admission/allowed-networks.ts'
import type { ApiKeyCache } from '../key-cache/api-key-cache.ts'
import { IssuerUnreachable, type IssuerKeys } from '../api-keys/service-accounts/issuer-keys.ts'
import { subjectOf, type ServiceAccount } from '../api-keys/service-accounts/service-account.ts'
import { issueToken, type ExchangedToken, type ExchangeTokenDeps } from './exchange-token.ts'
import type { OAuthError } from './oauth-parameters.ts'
import type { AssertionRequest } from './token-request.ts'

export interface ExchangeAssertionDeps extends Omit<ExchangeTokenDeps, 'verifier'> {
  readonly store: Pick<Store, 'transaction'>
  readonly keyCache: Pick<ApiKeyCache, 'findOwner'>
  readonly issuerKeys: IssuerKeys
  /** Returns our own public address, which a token must be made for. A port may be chosen at the start. */
  readonly publicUrl: () => string
}

/** Lists the algorithms of public keys. `none`, and a public key used as a shared secret, are not among them. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Kubernetes projects tokens of ten minutes to a day; a longer one is a stored credential again. */
const longestLifeSeconds = 86_400
const longestAssertion = 16 * 1024

/**
 * Exchanges the token of a Kubernetes service account for an access token of the API key that it is pinned to
 * (RFC 7523 §2.1). The token must be of the pinned issuer and account, made for this server, and not expired.
 */
export async function exchangeAssertion(
  deps: ExchangeAssertionDeps,
  { keyId, assertion }: AssertionRequest,
  ip: string,
): Promise<ExchangedToken | OAuthError> {
  const key = await findKey(deps, keyId)
  if (key === undefined) return notPinned()
  const state = apiKeyState(key, deps.now())
  const account = findPinned(key, assertion)
  if (account === undefined) return notPinned()
  const failure = await findFailure(deps, account, assertion)
  if (failure !== undefined) return failure
  // Said only to the bearer of a token that is right.
  if (state !== 'active') return refused(`The API key is ${state}.`)
  const description = findNetworkRejection(key.allowedNetworks, ip)
  if (description !== undefined) return { error: 'unauthorized_client', description }
  const { id, orgId, handle, expiresAt } = key
  deps.uses.recordKeyUse({ orgId, keyId: id })
  return issueToken(deps, { orgId, keyId: id, handle, expiresAt })
}

async function findKey(
  { store, keyCache }: ExchangeAssertionDeps,
  keyId: string,
): Promise<(ApiKey & { readonly orgId: string }) | undefined> {
  const orgId = keyCache.findOwner(keyId)
  if (orgId === undefined) return undefined
  const key = await store.transaction({ orgId }, (tx) => findApiKey(tx, orgId, keyId))
  return key && { ...key, orgId }
}

/** Finds the account that a token names. Nothing is verified yet. */
function findPinned({ serviceAccounts }: ApiKey, assertion: string): ServiceAccount | undefined {
  if (assertion.length > longestAssertion) return undefined
  try {
    const { iss, sub } = decodeJwt(assertion)
    return serviceAccounts?.find((account) => account.issuer === iss && subjectOf(account) === sub)
  } catch {
    return undefined
  }
}

async function findFailure(
  { issuerKeys, publicUrl, now }: ExchangeAssertionDeps,
  account: ServiceAccount,
  assertion: string,
): Promise<OAuthError | undefined> {
  try {
    const { payload } = await jwtVerify(assertion, await issuerKeys.keysOf(account), {
      algorithms,
      issuer: account.issuer,
      subject: subjectOf(account),
      audience: publicUrl(),
      currentDate: now(),
      requiredClaims: ['exp', 'iat'],
      clockTolerance: 30,
      // Refuses those that were made in the future too.
      maxTokenAge: longestLifeSeconds,
    })
    const { exp = 0, iat = 0 } = payload
    return exp - iat > longestLifeSeconds
      ? refused(
          'The token of the service account is valid for more than a day. Project one with expirationSeconds of 86400 or less.',
        )
      : undefined
  } catch (error) {
    return toFailure(error, publicUrl())
  }
}

function toFailure(error: unknown, audience: string): OAuthError {
  if (error instanceof errors.JWTExpired) {
    return refused('The token of the service account has expired. Read it from its file each time.')
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return refused(
      `The token of the service account is for another audience. Project one with the audience ${audience}.`,
    )
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iat') {
    return refused(
      'The token of the service account was made in the future. Compare the clocks of the cluster and of this server.',
    )
  }
  const isUnreachable =
    error instanceof IssuerUnreachable ||
    error instanceof errors.JWKSTimeout ||
    !(error instanceof errors.JOSEError) ||
    error.code === 'ERR_JOSE_GENERIC'
  if (!isUnreachable) return notPinned()
  const description =
    'The signing keys of the cluster cannot be read at its issuer. Repeat later, or paste the keys into the service account of the API key.'
  return { error: 'temporarily_unavailable', description }
}

/** Says the same for a key that does not exist and a token that its cluster did not sign: a stranger learns nothing of keys. */
function notPinned(): OAuthError {
  return refused(
    'The API key of client_id does not accept this token. Check its issuer, its service account and the signing keys of its cluster in the settings of the key.',
  )
}

function refused(description: string): OAuthError {
  return { error: 'invalid_grant', description }
}
