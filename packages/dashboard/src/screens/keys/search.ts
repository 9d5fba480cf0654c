import { readNewSearch, type NewSearch } from '../new-search.ts'

const panels = ['change', 'rotate'] as const

/** Describes what the address of the screen says. */
export interface KeysSearch extends NewSearch {
  /** The id of the key that stands out. */
  readonly key?: string
  /** Names the dialog that is open about it. */
  readonly panel?: (typeof panels)[number]
}

/** Reads the address of the screen; what it does not know is left out. */
export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const { key } = search
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...readNewSearch(search),
    ...(typeof key === 'string' && { key }),
    ...(panel !== undefined && { panel }),
  }
}
