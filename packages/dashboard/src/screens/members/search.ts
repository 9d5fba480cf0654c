import { readNewSearch, type NewSearch } from '../new-search.ts'

/** Describes the address of the screen. */
export interface MembersSearch extends NewSearch {
  /** Holds the id of the highlighted member. */
  readonly member?: string
  /** Names the open dialog about the member. */
  readonly panel?: 'role'
}

/** Reads the address of the screen. Unknown values are left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const { member, panel } = search
  return {
    ...readNewSearch(search),
    ...(typeof member === 'string' && { member }),
    ...(panel === 'role' && { panel }),
  }
}
