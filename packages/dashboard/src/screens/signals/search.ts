import { oneOf, readSearch, text } from '../address-values.ts'

/** Reads the open signal from the address. */
export const readSignalsSearch = readSearch({
  /** Holds the id of a signal, or `new`. */
  signal: text,
  panel: oneOf('change', 'test', 'address', 'secret', 'delete'),
})

/** Describes the open signal, as the address holds it. */
export type SignalsSearch = ReturnType<typeof readSignalsSearch>
