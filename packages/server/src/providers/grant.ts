/** Describes what a provider granted us. Never leaves `integrations/` but for the provider it is of. */
export interface Grant {
  readonly accessToken: string
  /** Null: it works until it is revoked. */
  readonly accessExpiresAt: Date | null
  /** Null: there is none, so what ends has to be granted again. */
  readonly refreshToken: string | null
  /** When the refresh token ends if it is not used; null where the provider does not say. */
  readonly refreshExpiresAt: Date | null
  readonly scopes: readonly string[]
}

/** Describes an authorization code on its way back. */
export interface AuthorizationResponse {
  readonly code: string
  readonly redirectUri: string
  /** PKCE (RFC 7636); undefined where the provider takes none. */
  readonly codeVerifier: string | undefined
  /** Holds what the browser came back with, by name. Example: `{ code: '5f2c' }`. */
  readonly query?: Readonly<Record<string, unknown>>
}

/** Describes where the browser is sent to ask for a grant. */
export interface AuthorizationRequest {
  readonly state: string
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  /** `read`: only what reading takes. `full`: also what is asked for on request alone. Default: everything else. */
  readonly level?: 'read' | 'full' | undefined
}

/**
 * Sends a request with an access token that is good by the clock; once more where the one that was refused turns out to
 * have been replaced. So `send` must refuse what it is not allowed to do before it does anything.
 *
 * @throws {ProviderError} of `send`
 */
export type WithAccessToken = <T>(send: (accessToken: string) => Promise<T>) => Promise<T>
