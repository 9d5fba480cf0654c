/** Describes what of the history is looked at, as its address says it. */
export interface HistorySearch {
  /** The schema's id. */
  readonly schema?: string
  /** The environment's id; left out: all of them. */
  readonly environment?: string
  /** Only versions that changed this key. */
  readonly key?: string
  /** The version that is looked at. */
  readonly version?: string
  /** Holds what it is compared with; left out: the one before. */
  readonly against?: string
  readonly panel?: 'promote' | 'restore'
  /** Ids of the versions that are chosen, to be compared or restored. */
  readonly chosen?: readonly string[]
  /** Ids of the environments between which values are promoted, and of what keys; no key means all. */
  readonly from?: string
  readonly to?: string
  readonly keys?: readonly string[]
}

const panels = ['promote', 'restore'] as const

/** Reads the address of the screen; what it does not know is left out. */
export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const { schema, environment, key, version, against, panel, chosen, from, to, keys } = search
  const knownPanel = panels.find((one) => one === panel)
  const ids = readTexts(chosen)
  const promoted = readTexts(keys)
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof environment === 'string' && { environment }),
    ...(typeof key === 'string' && key !== '' && { key }),
    ...(typeof version === 'string' && { version }),
    ...(typeof against === 'string' && { against }),
    ...(knownPanel !== undefined && { panel: knownPanel }),
    ...(ids.length > 0 && { chosen: ids }),
    ...(typeof from === 'string' && { from }),
    ...(typeof to === 'string' && { to }),
    ...(promoted.length > 0 && { keys: promoted }),
  }
}

function readTexts(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}

/** Describes a change of the address. Members that are `undefined` are removed from it. */
export type HistoryChange = {
  readonly [Name in keyof HistorySearch]: HistorySearch[Name] | undefined
}
