import { Problem } from '@signalbox/contract'
import type { BrowserAnswers } from '../browser/answer-browser.ts'
import type { PairKey } from '../cache/published.ts'
import type { Query } from '../http/query.ts'
import type { Reader } from '../cache/reader.ts'
import type { ServerAnswers } from '../server/answer-server.ts'
import type { Audience } from './stream-registry.ts'

export interface FollowDeps {
  readonly browser: Pick<BrowserAnswers, 'follow' | 'followFlags'>
  readonly server: Pick<ServerAnswers, 'follow'>
}

/** What a stream is asked to tell of. */
export interface AskedStream {
  readonly pair: PairKey
  readonly query: Query
  /** The header `Last-Event-ID`. */
  readonly lastEventId: string | undefined
}

export interface FollowedStream {
  readonly audience: Audience
  readonly pair: PairKey
  /** The event the reader has missed, if any. */
  readonly missed: Buffer | undefined
}

/**
 * Which changes a stream tells `reader` of: those of servers to a server key, those of browsers to everyone else, and those
 * that may decide flags otherwise, which are a browser's, to whoever asks for `events=ofrep`.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `invalid_query`
 */
export function followStream(
  { browser, server }: FollowDeps,
  reader: Reader,
  { pair, query, lastEventId }: AskedStream,
): FollowedStream {
  // EventSource sends the header when it comes back; the parameter is for the first connection of any client.
  const known = lastEventId === undefined || lastEventId === '' ? query.lastEventId : lastEventId
  if (query.events === 'ofrep') {
    return { audience: 'ofrep', pair, missed: browser.followFlags(reader, pair, known) }
  }
  if (query.events !== undefined) {
    throw new Problem('invalid_query', 'The parameter "events" may be "ofrep" or left out.')
  }
  return reader.type === 'apiKey' && reader.kind === 'm2m'
    ? { audience: 'server', pair, missed: server.follow(reader, pair, known) }
    : { audience: 'browser', pair, missed: browser.follow(reader, pair, known) }
}
