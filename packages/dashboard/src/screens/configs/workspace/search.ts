import { tiers, type Tier } from '@signalbox/contract'

/** Holds what lies over the matrix. `about` and `copy` are about a key. */
const panels = ['review', 'discard', 'paste', 'export', 'add', 'about', 'copy'] as const

/** Holds what an export may be written as; the first one unless another is chosen. */
export const exportFormats = ['env', 'json'] as const

/** Names a format of an export. */
export type ExportFormat = (typeof exportFormats)[number]

/** Keys that are missing somewhere or differ; flags that have been the same everywhere for long. */
const narrowings = ['uneven', 'settled'] as const

/** Describes what of the matrix is looked at, as its address says it. */
export interface MatrixSearch {
  /** The schema's id. */
  readonly schema?: string
  readonly filter?: string
  readonly tier?: Tier
  readonly only?: (typeof narrowings)[number]
  /** The environment of a phone's one column, by its name. */
  readonly environment?: string
  readonly panel?: (typeof panels)[number]
  /** The key that the panel is about. */
  readonly key?: string
  /** The environment that the panel begins with, or that is exported, by its name. */
  readonly from?: string
  /** Holds what is exported as. */
  readonly format?: ExportFormat
}

/** Reads the address of the screen; what it does not know is left out. */
export function readMatrixSearch(search: Record<string, unknown>): MatrixSearch {
  const { schema, filter, tier, only, environment, panel, key, from, format } = search
  const knownTier = tiers.find((one) => one === tier)
  const knownOnly = narrowings.find((one) => one === only)
  const knownPanel = panels.find((one) => one === panel)
  const knownFormat = exportFormats.find((one) => one === format)
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(knownTier !== undefined && { tier: knownTier }),
    ...(knownOnly !== undefined && { only: knownOnly }),
    ...(typeof environment === 'string' && { environment }),
    ...(knownPanel !== undefined && { panel: knownPanel }),
    ...(typeof key === 'string' && key !== '' && { key }),
    ...(typeof from === 'string' && { from }),
    ...(knownFormat !== undefined && { format: knownFormat }),
  }
}

/** Describes a change of the address. Members that are `undefined` are removed from it. */
export type SearchChange = { readonly [Name in keyof MatrixSearch]: MatrixSearch[Name] | undefined }
