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

/** Names a format of an export. */
export type ExportFormat = (typeof exportFormats)[number]

/**
 * Lists the quick filters: keys without a value, in the environment of the address or anywhere; those and keys that
 * differ; flags that have long been the same everywhere.
 */
const narrowings = ['missing', 'uneven', 'settled'] as const

/** Describes the address of a matrix. */
export interface MatrixSearch {
  /** Holds the id of the schema. */
  readonly schema?: string
  readonly filter?: string
  readonly tier?: Tier
  readonly only?: (typeof narrowings)[number]
  /** Names the environment that a phone shows, and whose missing keys are shown. */
  readonly environment?: string
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
  return { ...readNarrowing(search), ...readPanel(search) }
}

/** Reads which part of the matrix is on the screen. */
function readNarrowing(search: Record<string, unknown>): MatrixSearch {
  const { schema, filter, tier, only, environment } = search
  const knownTier = tiers.find((one) => one === tier)
  const knownOnly = narrowings.find((one) => one === only)
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(knownTier !== undefined && { tier: knownTier }),
    ...(knownOnly !== undefined && { only: knownOnly }),
    ...(typeof environment === 'string' && { environment }),
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
