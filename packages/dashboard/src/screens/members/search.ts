import { readNewSearch, type NewSearch } from '../new-search.ts'

export interface MembersSearch extends NewSearch {
  /** The id of the member that stands out. */
  readonly member?: string
  /** What is done with them. */
  readonly panel?: 'role'
}

export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const { member, panel } = search
  return {
    ...readNewSearch(search),
    ...(typeof member === 'string' && { member }),
    ...(panel === 'role' && { panel }),
  }
}
