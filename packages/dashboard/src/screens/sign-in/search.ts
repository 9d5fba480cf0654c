/** Describes the address of the screen. */
export interface SignInSearch {
  /** Holds the page to return to. */
  readonly returnTo?: string
  /** Says that a session has ended, and that somebody was at work. */
  readonly ended?: true
  /** Holds the reason why a sign-in through the provider failed. */
  readonly error?: string
}

/**
 * Reads the page to return to. It accepts only addresses of this server: browsers take `//elsewhere` and
 * `/\\elsewhere` for other hosts.
 */
export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { returnTo, ended, error } = search
  return {
    ...(typeof returnTo === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(returnTo) && { returnTo }),
    ...(ended === true && { ended }),
    ...(typeof error === 'string' && { error }),
  }
}
