import { oneOf, readSearch, text, yes } from '../address-values.ts'

/** Reads the address of the screen. */
export const readKeysSearch = readSearch({
  /** Says that the dialog of a new key is open. */
  new: yes,
  /** Holds the id of the highlighted key. */
  key: text,
  /** Names the dialog that is open about it. `agent`: the one of a new agent token. */
  panel: oneOf('access', 'change', 'rotate', 'reads', 'agent'),
})

/** Describes the address of the screen. */
export type KeysSearch = ReturnType<typeof readKeysSearch>
