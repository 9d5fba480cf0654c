import { readNewSearch, type NewSearch } from '../new-search.ts'

export interface KeysSearch extends NewSearch {
  /** The id of the key that stands out. */
  readonly key?: string
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const { key } = search
  return { ...readNewSearch(search), ...(typeof key === 'string' && { key }) }
}
