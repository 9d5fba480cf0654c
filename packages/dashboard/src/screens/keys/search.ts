import { readNewSearch, type NewSearch } from '../new-search.ts'

const panels = ['change', 'rotate', 'agent'] as const

/** Describes the address of the screen. */
export interface KeysSearch extends NewSearch {
  /** Holds the id of the highlighted key. */
  readonly key?: string
  /** Names the dialog that is open about it. `agent`: the one of a new agent token. */
  readonly panel?: (typeof panels)[number]
}

/** Reads the address of the screen. Unknown values are left out. */
export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const { key } = search
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...readNewSearch(search),
    ...(typeof key === 'string' && { key }),
    ...(panel !== undefined && { panel }),
  }
}
