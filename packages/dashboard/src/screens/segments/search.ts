import { isText } from '../address-values.ts'

const panels = ['create', 'edit', 'delete', 'restore'] as const

/** Describes the open segment, as the address holds it. */
export interface SegmentsSearch {
  /** Names the open segment. Default none: the list alone. */
  readonly segment?: string
  /** Names what is done. `create` is about a new segment, and the others about the open one. */
  readonly panel?: (typeof panels)[number]
  /** Holds the version that is restored. */
  readonly version?: number
}

/** Reads the address of the screen. Unknown values are left out. */
export function readSegmentsSearch(search: Record<string, unknown>): SegmentsSearch {
  const { version } = search
  // The router reads a name of digits alone as a number.
  const segment = typeof search['segment'] === 'number' ? `${search['segment']}` : search['segment']
  const panel = panels.find((one) => one === search['panel'])
  return {
    ...(isText(segment) && { segment }),
    ...(panel !== undefined && { panel }),
    ...(typeof version === 'number' && Number.isInteger(version) && { version }),
  }
}
