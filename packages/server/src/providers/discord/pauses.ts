/** Holds until when nothing is sent, by the limit that Discord named: of a route in one channel or server, or of the bot. */
export interface Pauses {
  /** Returns the end of a pause that a request falls into. */
  find(route: string, now: Date): Date | undefined
  /** Begins a pause of a route; without one, of everything that the bot does. */
  begin(until: Date, route?: string): void
}

const routesMax = 10_000
const everything = ''

/** Creates an empty list of pauses. */
export function createPauses(): Pauses {
  const ends = new Map<string, Date>()
  return {
    find(route, now) {
      const latest = [ends.get(route), ends.get(everything)]
        .filter((end) => end !== undefined && end > now)
        .toSorted((one, other) => (other?.getTime() ?? 0) - (one?.getTime() ?? 0))
      return latest[0]
    },
    begin(until, route = everything) {
      if (ends.size >= routesMax) ends.clear()
      ends.set(route, until)
    },
  }
}
