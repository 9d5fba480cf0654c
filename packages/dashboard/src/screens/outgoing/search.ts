import { oneOf, readSearch, text } from '../address-values.ts'

/** Reads the open webhook from the address. */
export const readOutgoingSearch = readSearch({
  /** Holds the id of a webhook, or `new`. */
  webhook: text,
  panel: oneOf('change', 'rotate', 'messages'),
})

/** Describes the open webhook, as the address holds it. */
export type OutgoingSearch = ReturnType<typeof readOutgoingSearch>
