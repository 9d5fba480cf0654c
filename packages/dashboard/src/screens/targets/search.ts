import { oneOf, readSearch, text } from '../address-values.ts'

/** Reads the open target from the address. */
export const readTargetsSearch = readSearch({
  /** Holds the id of a target. Default all of them. */
  target: text,
  /** Names the open dialog. `change` and `delete` are about the target. */
  panel: oneOf('create', 'change', 'delete'),
})

/** Describes the open target, as the address holds it. */
export type TargetsSearch = ReturnType<typeof readTargetsSearch>
