import { oneOf, readSearch, text } from '../address-values.ts'

/** Reads the open dialog from the address. */
export const readEnvironmentsSearch = readSearch({
  panel: oneOf('create', 'edit', 'delete', 'freeze'),
  /** Holds the id of the environment. */
  environment: text,
})

/** Describes the open dialog, as the address holds it. */
export type EnvironmentsSearch = ReturnType<typeof readEnvironmentsSearch>
