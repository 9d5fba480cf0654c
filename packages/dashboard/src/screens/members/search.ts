import { readNewSearch, type NewSearch } from '../new-search.ts'

/** Describes what the address of the screen says. */
export interface MembersSearch extends NewSearch {
  /** The id of the member that stands out. */
  readonly member?: string
  /** Holds what is done with them. */
  readonly panel?: 'role'
}

/** Reads the address of the screen; what it does not know is left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const { member, panel } = search
  return {
    ...readNewSearch(search),
    ...(typeof member === 'string' && { member }),
    ...(panel === 'role' && { panel }),
  }
}
