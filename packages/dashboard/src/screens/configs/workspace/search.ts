import { tiers } from '@signalbox/contract'
import { oneOf, readSearch, text, texts } from '../../address-values.ts'

/** Lists the formats of an export. The first one is the default. */
export const exportFormats = ['env', 'json'] as const

export type ExportFormat = (typeof exportFormats)[number]

/** Lists the orders of the rows besides that of the schema. `prefix` groups them by their first word. */
export const rowOrders = ['name', 'changed', 'prefix'] as const

export type RowOrder = (typeof rowOrders)[number]

/** Lists the dialogs over the matrix, and after those the ones that need a key. */
const panels = ['review', 'discard', 'paste', 'export', 'promote', 'add'] as const
const keyPanels = ['about', 'copy', 'edit', 'delete', 'rules'] as const

/** Reads the address of a matrix. */
export const readMatrixSearch = readSearch({
  /** Holds the id of the schema. */
  schema: text,
  filter: text,
  tier: oneOf(...tiers),
  /**
   * Names the quick filter: keys without a value, in the environment of the address or anywhere; keys that differ between
   * two environments; keys of both kinds; flags that have long been the same everywhere; flags past their end date; kill
   * switches.
   */
  only: oneOf('missing', 'drift', 'uneven', 'settled', 'overdue', 'killSwitches'),
  owner: text,
  tag: text,
  /** Names the environment that a phone shows, and whose missing or differing keys are shown. */
  environment: text,
  /** Names the environment that differing keys are compared with. */
  against: text,
  /** Lists the names of environments in the order of their columns. */
  order: texts,
  /** Lists the names of environments without a column. */
  hidden: texts,
  /** Sorts the rows. Default: the order of the schema. */
  sort: oneOf(...rowOrders),
  panel: oneOf(...panels, ...keyPanels),
  /** Names the key of the dialog. */
  key: text,
  /** Names the environment that the dialog starts with, or exports. */
  from: text,
  /** Names the environment that values are promoted to. */
  to: text,
  /** Lists the keys that are promoted. */
  keys: texts,
  /** Names the format of the export. */
  format: oneOf(...exportFormats),
})

/** Describes the address of a matrix, or a change of it: members that are `undefined` are removed. */
export type MatrixSearch = ReturnType<typeof readMatrixSearch>

/** Removes every filter from an address. */
export const noFilters: MatrixSearch = {
  filter: undefined,
  tier: undefined,
  only: undefined,
  owner: undefined,
  tag: undefined,
  against: undefined,
}
