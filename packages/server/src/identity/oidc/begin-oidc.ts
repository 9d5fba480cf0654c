import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { sign } from '../../crypto/sign.ts'
import type { OidcDeps } from './oidc-deps.ts'
import type { OidcBinding, OidcProvider } from './oidc-provider.ts'
import { insertAttempt, type OidcPurpose } from './rows.ts'

/** Limits how long an attempt to sign in can take. */
export const attemptLifetimeMs = 10 * 60 * 1000

export interface BeginOidc {
  readonly provider: OidcProvider
  /** Names the organization whose provider it is. Left out: that of the settings. */
  readonly of?: { readonly orgId: string; readonly id: string } | undefined
  readonly purpose: OidcPurpose
  readonly userId: string | null
  readonly returnTo: string | undefined
}

/** Describes an attempt: where the browser goes, and its cookie. */
export interface BegunOidc {
  /** Where to send the browser. */
  readonly url: string
  /** The value of the browser's cookie: only this browser can finish the attempt. */
  readonly cookie: string
}

/**
 * Begins a way to the provider (OpenID Connect Core §3.1.2.1), good once, in this browser, and for ten minutes.
 *
 * @throws {OidcError} `provider_unavailable`, `provider_response`
 */
export async function beginOidc(
  { store, signInKey, now }: Pick<OidcDeps, 'store' | 'signInKey' | 'now'>,
  { provider, of, purpose, userId, returnTo }: BeginOidc,
): Promise<BegunOidc> {
  const state = newOpaqueToken()
  const cookie = newOpaqueToken()
  const binding = bindTo(signInKey, { state: state.token, cookie: cookie.token })
  const url = await provider.authorizeUrl(binding, { again: purpose === 'confirm' })
  const createdAt = now()
  await store.transaction({ orgId: null, userId }, (tx) =>
    insertAttempt(tx, {
      stateHash: state.hash,
      cookieHash: cookie.hash,
      purpose,
      userId,
      returnTo: returnTo ?? null,
      createdAt,
      providerOrgId: of?.orgId ?? null,
      providerId: of?.id ?? null,
      expiresAt: new Date(createdAt.getTime() + attemptLifetimeMs),
    }),
  )
  return { url, cookie: cookie.token }
}

/** Derives the code verifier (RFC 7636) and the nonce from the cookie and a key of the server, so neither is stored. */
export function bindTo(
  signInKey: Buffer,
  { state, cookie }: { readonly state: string; readonly cookie: string },
): OidcBinding {
  return {
    state,
    nonce: sign(signInKey, `oidc-nonce|${cookie}`),
    codeVerifier: sign(signInKey, `oidc-verifier|${cookie}`),
  }
}
