import { accessTokenSeconds } from '../../crypto/access-tokens.ts'
import { findNetworkRejection } from '../../http/admission/allowed-networks.ts'
import type { TokenVerifier } from '../verify-token.ts'
import type { UseRecorder } from '../use-recorder.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { OAuthError } from './oauth-parameters.ts'
import type { ClientCredentials } from './token-request.ts'

export interface ExchangeTokenDeps {
  readonly verifier: Pick<TokenVerifier, 'verifyApiKey'>
  readonly signingKeys: SigningKeys
  readonly uses: Pick<UseRecorder, 'recordKeyUse'>
  readonly now: () => Date
}

/** Describes the answer of RFC 6749 §5.1. */
export interface ExchangedToken {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
}

/** Describes the key that an access token is issued for. */
export interface TokenKey {
  readonly orgId: string
  readonly keyId: string
  readonly handle: string
  readonly expiresAt: Date | null
}

/**
 * Exchanges an API key for an access token of 15 minutes, which may do what the key may and ends with it
 * (RFC 6749 §4.4). Needs no look-up in the database, except for a new key.
 */
export async function exchangeToken(
  { verifier, signingKeys, uses, now }: ExchangeTokenDeps,
  { clientId, clientSecret }: ClientCredentials,
  ip: string,
): Promise<ExchangedToken | OAuthError> {
  const verified = await verifier.verifyApiKey(clientSecret)
  if (verified.outcome === 'expired' || verified.outcome === 'revoked') {
    return refused(`The API key is ${verified.outcome}.`)
  }
  if (verified.outcome !== 'valid' || verified.key.keyId !== clientId) {
    return refused('client_id and client_secret are not the id and the secret of an API key.')
  }
  const { key } = verified
  const description = findNetworkRejection(key.allowedNetworks, ip)
  if (description !== undefined) return { error: 'unauthorized_client', description }
  uses.recordKeyUse(key)
  return issueToken({ signingKeys, now }, key)
}

/** Creates an access token of 15 minutes for a key that was checked. For a key that ends sooner, `expires_in` is shorter. */
export async function issueToken(
  { signingKeys, now }: Pick<ExchangeTokenDeps, 'signingKeys' | 'now'>,
  { orgId, keyId, handle, expiresAt }: TokenKey,
): Promise<ExchangedToken> {
  const issuer = await signingKeys.getIssuer()
  const moment = now()
  const keySeconds = ((expiresAt?.getTime() ?? Infinity) - moment.getTime()) / 1000
  return {
    access_token: await issuer.issue({ orgId, keyId, handle }, moment),
    token_type: 'Bearer',
    expires_in: Math.floor(Math.min(accessTokenSeconds, keySeconds)),
  }
}

function refused(description: string): OAuthError {
  return { error: 'invalid_client', description }
}
