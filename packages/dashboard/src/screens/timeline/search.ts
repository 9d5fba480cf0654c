/** Describes what of the timeline is looked at, as its address says it. */
export interface TimelineSearch {
  /** The environment's id; left out: all of them. */
  readonly environment?: string
}

/** Reads the address of the screen; what it does not know is left out. */
export function readTimelineSearch({ environment }: Record<string, unknown>): TimelineSearch {
  return typeof environment === 'string' && environment !== '' ? { environment } : {}
}
