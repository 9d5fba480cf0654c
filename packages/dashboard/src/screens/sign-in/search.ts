export interface SignInSearch {
  /** The page that asked for it. */
  readonly returnTo?: string
  /** Why a sign-in through the provider ended here. */
  readonly error?: string
}

/** Only addresses of this server: `//elsewhere` and `/\elsewhere` are other hosts to a browser. */
export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { returnTo, error } = search
  return {
    ...(typeof returnTo === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(returnTo) && { returnTo }),
    ...(typeof error === 'string' && { error }),
  }
}
