/** Describes how much the database of a server holds. */
export interface Size {
  /** Each has a schema of `keysEach` keys in `environmentsEach` environments. */
  readonly organizations: number
  readonly apiKeys: number
  /** All of them in one organization, which is the worst that lists and figures can meet. */
  readonly deployments: number
}

export const keysEach = 2_000
export const environmentsEach = 4

const whole: Size = { organizations: 200, apiKeys: 100_000, deployments: 1_000_000 }

/** Lists the sizes in the order in which one database grows through them. */
export function listSizes(shares: readonly number[]): Size[] {
  return shares.map((share) => ({
    organizations: Math.max(2, Math.round(whole.organizations * share)),
    apiKeys: Math.round(whole.apiKeys * share),
    deployments: Math.round(whole.deployments * share),
  }))
}
