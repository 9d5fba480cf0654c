/** What of the timeline is looked at, as its address says it. */
export interface TimelineSearch {
  /** The environment's id; left out: all of them. */
  readonly environment?: string
}

export function readTimelineSearch({ environment }: Record<string, unknown>): TimelineSearch {
  return typeof environment === 'string' && environment !== '' ? { environment } : {}
}
