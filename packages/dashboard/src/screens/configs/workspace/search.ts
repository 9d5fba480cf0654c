import { tiers, type Tier } from '@signalbox/contract'
import { readTexts } from '../../address-values.ts'

/** Lists the dialogs over the matrix. */
const panels = [
  'review',
  'discard',
  'paste',
  'export',
  'promote',
  'add',
  // These need a key.
  'about',
  'copy',
  'edit',
  'delete',
  'rules',
] as const

/** Lists the formats of an export. The first one is the default. */
export const exportFormats = ['env', 'json'] as const

export type ExportFormat = (typeof exportFormats)[number]

/**
 * Lists the quick filters: keys without a value, in the environment of the address or anywhere; keys that differ between
 * two environments; keys of both kinds; flags that have long been the same everywhere; flags past their end date; kill
 * switches.
 */
const narrowings = ['missing', 'drift', 'uneven', 'settled', 'overdue', 'killSwitches'] as const

/** Lists the orders of the rows besides that of the schema. `prefix` groups them by their first word. */
export const rowOrders = ['name', 'changed', 'prefix'] as const

export type RowOrder = (typeof rowOrders)[number]

/** Describes the address of a matrix. */
export interface MatrixSearch {
  /** Holds the id of the schema. */
  readonly schema?: string
  readonly filter?: string
  readonly tier?: Tier
  readonly only?: (typeof narrowings)[number]
  readonly owner?: string
  readonly tag?: string
  /** Names the environment that a phone shows, and whose missing or differing keys are shown. */
  readonly environment?: string
  /** Names the environment that differing keys are compared with. */
  readonly against?: string
  /** Lists the names of environments in the order of their columns. */
  readonly order?: readonly string[]
  /** Lists the names of environments without a column. */
  readonly hidden?: readonly string[]
  /** Sorts the rows. Default: the order of the schema. */
  readonly sort?: RowOrder
  readonly panel?: (typeof panels)[number]
  /** Names the key of the dialog. */
  readonly key?: string
  /** Names the environment that the dialog starts with, or exports. */
  readonly from?: string
  /** Names the environment that values are promoted to. */
  readonly to?: string
  /** Lists the keys that are promoted. */
  readonly keys?: readonly string[]
  /** Names the format of the export. */
  readonly format?: ExportFormat
}

/** Reads the address of the screen. Unknown values are left out. */
export function readMatrixSearch(search: Record<string, unknown>): MatrixSearch {
  return { ...readNarrowing(search), ...readLayout(search), ...readPanel(search) }
}

/** Reads which part of the matrix is on the screen. */
function readNarrowing(search: Record<string, unknown>): MatrixSearch {
  const { schema, filter, tier, only, owner, tag, environment, against } = search
  const knownTier = tiers.find((one) => one === tier)
  const knownOnly = narrowings.find((one) => one === only)
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(knownTier !== undefined && { tier: knownTier }),
    ...(knownOnly !== undefined && { only: knownOnly }),
    ...(typeof owner === 'string' && owner !== '' && { owner }),
    ...(typeof tag === 'string' && tag !== '' && { tag }),
    ...(typeof environment === 'string' && { environment }),
    ...(typeof against === 'string' && { against }),
  }
}

/** Reads the order of the rows and the columns. */
function readLayout(search: Record<string, unknown>): MatrixSearch {
  const order = readTexts(search['order'])
  const hidden = readTexts(search['hidden'])
  const sort = rowOrders.find((one) => one === search['sort'])
  return {
    ...(order.length > 0 && { order }),
    ...(hidden.length > 0 && { hidden }),
    ...(sort !== undefined && { sort }),
  }
}

/** Reads which dialog is open, and what it is about. */
function readPanel(search: Record<string, unknown>): MatrixSearch {
  const { panel, key, from, to, format } = search
  const knownPanel = panels.find((one) => one === panel)
  const keys = readTexts(search['keys'])
  const knownFormat = exportFormats.find((one) => one === format)
  return {
    ...(knownPanel !== undefined && { panel: knownPanel }),
    ...(typeof key === 'string' && key !== '' && { key }),
    ...(typeof from === 'string' && { from }),
    ...(typeof to === 'string' && { to }),
    ...(keys.length > 0 && { keys }),
    ...(knownFormat !== undefined && { format: knownFormat }),
  }
}

/** Describes a change of the address. Members that are `undefined` are removed from it. */
export type SearchChange = { readonly [Name in keyof MatrixSearch]: MatrixSearch[Name] | undefined }

/** Removes every filter from an address. */
export const noFilters: SearchChange = {
  filter: undefined,
  tier: undefined,
  only: undefined,
  owner: undefined,
  tag: undefined,
  against: undefined,
}
