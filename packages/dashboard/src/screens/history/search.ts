import { oneOf, readSearch, text, texts } from '../address-values.ts'

/** Reads the address of the history. */
export const readHistorySearch = readSearch({
  /** Holds the id of the schema. */
  schema: text,
  /** Holds the id of the environment. Default all of them. */
  environment: text,
  /** Selects the versions that changed this key. */
  key: text,
  /** Holds the id of the open version. */
  version: text,
  /** Holds the id of the version to compare with. Default the one before. */
  against: text,
  /** Holds the id of the open proof. */
  proof: text,
  panel: oneOf('restore'),
  /** Lists the ids of the selected versions, to compare or restore. */
  chosen: texts,
  /** Lists the keys that are restored. Absent: all of them. */
  keys: texts,
})

/** Describes the address of the history, or a change of it: members that are `undefined` are removed. */
export type HistorySearch = ReturnType<typeof readHistorySearch>
