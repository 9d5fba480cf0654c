import { oneOf, readSearch, text } from '../address-values.ts'

/** Reads the open segment from the address. */
export const readSegmentsSearch = readSearch({
  /** Names the open segment. Default none: the list alone. The router reads a name of digits alone as a number. */
  segment: (value) => text(typeof value === 'number' ? `${value}` : value),
  /** Names what is done. `create` is about a new segment, and the others about the open one. */
  panel: oneOf('create', 'edit', 'delete', 'restore'),
  /** Holds the version that is restored. */
  version: (value) => (typeof value === 'number' && Number.isInteger(value) ? value : undefined),
})

/** Describes the open segment, as the address holds it. */
export type SegmentsSearch = ReturnType<typeof readSegmentsSearch>
