import { readNewSearch, type NewSearch } from '../new-search.ts'

export interface MembersSearch extends NewSearch {
  /** The id of the member that stands out. */
  readonly member?: string
}

export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const { member } = search
  return { ...readNewSearch(search), ...(typeof member === 'string' && { member }) }
}
