import type { GithubState } from '../state.ts'

/** Describes what the links of answers and webhooks begin with. */
export interface GithubAddresses {
  /** Where people look. Example: `http://127.0.0.1:4500/github`. */
  readonly web: string
  /** Where programs ask. Example: `http://127.0.0.1:4500/github/api`. */
  readonly api: string
}

/** Returns the addresses of the pretended GitHub. */
export function addressesOf({ origin }: Pick<GithubState, 'origin'>): GithubAddresses {
  return { web: `${origin}/github`, api: `${origin}/github/api` }
}
