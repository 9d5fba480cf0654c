import { oneOf, readSearch, text, yes } from '../address-values.ts'

/** Reads the address of the screen. */
export const readMembersSearch = readSearch({
  /** Selects what is listed. Absent: the people. */
  view: oneOf('groups', 'grants'),
  /** Says that the dialog of a new invitation, group or grant is open. */
  new: yes,
  /** Holds the id of the highlighted member. */
  member: text,
  /** Holds the id of the group that a dialog is about. */
  group: text,
  /** Holds the id of the grant that a dialog is about. */
  grant: text,
  /** Names the open dialog about the member, the group or the grant. */
  panel: oneOf('role', 'access', 'people', 'change', 'delete'),
})

/** Describes the address of the screen. */
export type MembersSearch = ReturnType<typeof readMembersSearch>
