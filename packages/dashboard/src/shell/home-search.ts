/** Describes the address `/`, which leads to the organization that was visited last. */
export interface HomeSearch {
  /** Names the kind of an integration whose page is meant. The server's own pages know no organization. */
  readonly integration?: string
}

/** Reads the address. Unknown values are left out. */
export function readHomeSearch({ integration }: Record<string, unknown>): HomeSearch {
  return typeof integration === 'string' && /^[a-z]{1,30}$/.test(integration) ? { integration } : {}
}
