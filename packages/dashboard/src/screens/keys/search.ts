import { readNewSearch, type NewSearch } from '../new-search.ts'

const panels = ['change', 'rotate'] as const

export interface KeysSearch extends NewSearch {
  /** The id of the key that stands out. */
  readonly key?: string
  /** What is done with it. */
  readonly panel?: (typeof panels)[number]
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const { key } = search
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...readNewSearch(search),
    ...(typeof key === 'string' && { key }),
    ...(panel !== undefined && { panel }),
  }
}
