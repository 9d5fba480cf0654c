/** Describes the address of the timeline. */
export interface TimelineSearch {
  /** Holds the id of the environment. Default all of them. */
  readonly environment?: string
}

/** Reads the address of the screen. Unknown values are left out. */
export function readTimelineSearch({ environment }: Record<string, unknown>): TimelineSearch {
  return typeof environment === 'string' && environment !== '' ? { environment } : {}
}
