import type { GithubState } from '../state.ts'

/** Holds the beginnings of the links in responses and webhooks. */
export interface GithubAddresses {
  /** Holds the address for people. Example: `http://127.0.0.1:4500/github`. */
  readonly web: string
  /** Holds the address of the API. Example: `http://127.0.0.1:4500/github/api`. */
  readonly api: string
}

/** Returns the addresses of the pretended GitHub. */
export function addressesOf({ origin }: Pick<GithubState, 'origin'>): GithubAddresses {
  return { web: `${origin}/github`, api: `${origin}/github/api` }
}
