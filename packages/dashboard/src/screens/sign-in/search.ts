/** Describes what the address of the screen says. */
export interface SignInSearch {
  /** The page that asked for it. */
  readonly returnTo?: string
  /** Why a sign-in through the provider ended here. */
  readonly error?: string
}

/** Reads where to go after the sign-in: only addresses of this server, for `//elsewhere` and `/\\elsewhere` are other hosts to a browser. */
export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { returnTo, error } = search
  return {
    ...(typeof returnTo === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(returnTo) && { returnTo }),
    ...(typeof error === 'string' && { error }),
  }
}
