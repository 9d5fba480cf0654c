import { readTexts } from '../address-values.ts'

/** Describes the address of the history. */
export interface HistorySearch {
  /** Holds the id of the schema. */
  readonly schema?: string
  /** Holds the id of the environment. Default all of them. */
  readonly environment?: string
  /** Selects the versions that changed this key. */
  readonly key?: string
  /** Holds the id of the open version. */
  readonly version?: string
  /** Holds the id of the version to compare with. Default the one before. */
  readonly against?: string
  readonly panel?: 'restore'
  /** Lists the ids of the selected versions, to compare or restore. */
  readonly chosen?: readonly string[]
  /** Lists the keys that are restored. Absent: all of them. */
  readonly keys?: readonly string[]
}

const panels = ['restore'] as const

/** Reads the address of the screen. Unknown values are left out. */
export function readHistorySearch(search: Record<string, unknown>): HistorySearch {
  const { schema, environment, key, version, against, panel, chosen, keys } = search
  const knownPanel = panels.find((one) => one === panel)
  const ids = readTexts(chosen)
  const restoredKeys = readTexts(keys)
  return {
    ...(typeof schema === 'string' && { schema }),
    ...(typeof environment === 'string' && { environment }),
    ...(typeof key === 'string' && key !== '' && { key }),
    ...(typeof version === 'string' && { version }),
    ...(typeof against === 'string' && { against }),
    ...(knownPanel !== undefined && { panel: knownPanel }),
    ...(ids.length > 0 && { chosen: ids }),
    ...(restoredKeys.length > 0 && { keys: restoredKeys }),
  }
}

/** Describes a change of the address. Members that are `undefined` are removed from it. */
export type HistoryChange = {
  readonly [Name in keyof HistorySearch]: HistorySearch[Name] | undefined
}
