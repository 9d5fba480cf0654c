import { tiers, type Tier } from '@signalbox/contract'

/** What lies over the matrix. `about` and `copy` are about a key. */
const panels = ['review', 'discard', 'paste', 'export', 'add', 'about', 'copy'] as const

/** What of the matrix is looked at, as its address says it. */
export interface MatrixSearch {
  /** The schema's id. */
  readonly schema?: string
  readonly filter?: string
  readonly tier?: Tier
  readonly only?: 'uneven'
  /** The environment of a phone's one column, by its name. */
  readonly environment?: string
  readonly panel?: (typeof panels)[number]
  /** The key that the panel is about. */
  readonly key?: string
  /** The environment that the panel begins with, by its name. */
  readonly from?: string
}

export function readMatrixSearch(search: Record<string, unknown>): MatrixSearch {
  const { schema, filter, tier, only, environment, panel, key, from } = search
  const knownTier = tiers.find((one) => one === tier)
  const knownPanel = panels.find((one) => one === panel)
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(knownTier !== undefined && { tier: knownTier }),
    ...(only === 'uneven' && { only }),
    ...(typeof environment === 'string' && { environment }),
    ...(knownPanel !== undefined && { panel: knownPanel }),
    ...(typeof key === 'string' && key !== '' && { key }),
    ...(typeof from === 'string' && { from }),
  }
}

/** Members that are `undefined` are taken out of the address. */
export type SearchChange = { readonly [Name in keyof MatrixSearch]: MatrixSearch[Name] | undefined }
