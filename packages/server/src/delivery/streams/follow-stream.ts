import { Problem } from '@signalbox/contract'
import type { BrowserAnswers } from '../browser/answer-browser.ts'
import type { SnapshotKey } from '../cache/published.ts'
import type { Query } from '../http/query.ts'
import type { Reader } from '../cache/reader.ts'
import type { ServerAnswers } from '../server/answer-server.ts'
import type { Audience } from './stream-registry.ts'

/** Lists the answers that know what a stream's reader has missed. */
export interface FollowDeps {
  readonly browser: Pick<BrowserAnswers, 'follow' | 'followFlags'>
  readonly server: Pick<ServerAnswers, 'follow'>
}

/** Describes the request for a stream. */
export interface FollowRequest {
  readonly snapshotKey: SnapshotKey
  readonly query: Query
  /** Holds the header `Last-Event-ID`. */
  readonly lastEventId: string | undefined
}

/** Describes the changes that a stream receives. */
export interface FollowedStream {
  readonly audience: Audience
  readonly snapshotKey: SnapshotKey
  /** Holds the event that the reader has missed, if any. */
  readonly missed: Buffer | undefined
}

/**
 * Chooses the changes that a stream receives: server keys get those of servers, other callers those of browsers.
 * `events=ofrep` selects browser changes in OFREP's form.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `invalid_query`
 */
export function followStream(
  { browser, server }: FollowDeps,
  reader: Reader,
  { snapshotKey, query, lastEventId }: FollowRequest,
): FollowedStream {
  // EventSource sends the header when it reconnects; the parameter is for a client's first connection.
  const known = lastEventId === undefined || lastEventId === '' ? query.lastEventId : lastEventId
  if (query.events === 'ofrep') {
    return {
      audience: 'ofrep',
      snapshotKey,
      missed: browser.followFlags(reader, snapshotKey, known),
    }
  }
  if (query.events !== undefined) {
    throw new Problem('invalid_query', 'The parameter "events" may be "ofrep" or left out.')
  }
  return reader.type === 'apiKey' && reader.kind === 'm2m'
    ? { audience: 'server', snapshotKey, missed: server.follow(reader, snapshotKey, known) }
    : { audience: 'browser', snapshotKey, missed: browser.follow(reader, snapshotKey, known) }
}
