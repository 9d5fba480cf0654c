import { oneOf, readSearch, text, yes } from '../address-values.ts'

/** Reads the address of the screen. */
export const readMembersSearch = readSearch({
  /** Says that the dialog of a new invitation is open. */
  new: yes,
  /** Holds the id of the highlighted member. */
  member: text,
  /** Names the open dialog about the member. */
  panel: oneOf('role'),
})

/** Describes the address of the screen. */
export type MembersSearch = ReturnType<typeof readMembersSearch>
