/** Describes the address of the screen. */
export interface SignInSearch {
  /** Holds the page to return to. */
  readonly returnTo?: string
  /** Holds the reason why a sign-in through the provider failed. */
  readonly error?: string
}

/**
 * Reads the page to return to. It accepts only addresses of this server: browsers take `//elsewhere` and
 * `/\\elsewhere` for other hosts.
 */
export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { returnTo, error } = search
  return {
    ...(typeof returnTo === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(returnTo) && { returnTo }),
    ...(typeof error === 'string' && { error }),
  }
}
