import { takeRandomBytes } from '../../crypto/random.ts'

/** Names the header with the ids of the relays that an answer has passed, the one nearest to the database first. */
export const wayHeader = 'signalbox-relays'

/** Limits the relays between the database and a reader. */
const longestWay = 16

/** Returns an id for a process that is a relay. Another start has another one. */
export function newRelayId(): string {
  return takeRandomBytes(9).toString('base64url')
}

/** Parses the header. What is no id is left out. */
export function parseWay(header: string | undefined): readonly string[] {
  const ids = (header ?? '').split(',').map((each) => each.trim())
  return [...new Set(ids.filter((each) => /^[\w-]{12}$/.test(each)))].slice(0, longestWay + 1)
}

/** Returns why a relay must not be fed on this way; `undefined` where it may. */
export function findLoop(way: readonly string[], ownId: string): 'loop' | 'too_long' | undefined {
  if (way.includes(ownId)) return 'loop'
  return way.length > longestWay ? 'too_long' : undefined
}
