import { Problem } from '@signalbox/contract'
import type { BrowserSource } from '../browser/answer-browser.ts'
import type { Published, SnapshotKey } from '../cache/published.ts'
import type { Query } from '../http/query.ts'
import type { Reader } from '../cache/reader.ts'
import { getCurrent } from '../http/find-by-names.ts'
import { isBehind, renderEvent, renderRefetch } from './event-stream.ts'
import type { ServerSource } from '../server/answer-server.ts'
import type { Audience } from './stream-registry.ts'

/** Holds the snapshots that streams follow. */
export interface FollowSource {
  readonly browser: Pick<BrowserSource, 'snapshots'>
  readonly server: Pick<ServerSource, 'snapshots'>
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
  { browser, server }: FollowSource,
  reader: Reader,
  { snapshotKey, query, lastEventId }: FollowRequest,
): FollowedStream {
  // EventSource sends the header when it reconnects; the parameter is for a client's first connection.
  const known = lastEventId === undefined || lastEventId === '' ? query.lastEventId : lastEventId
  const audience = audienceOf(reader, query)
  const item: Published =
    audience === 'server'
      ? getCurrent(server.snapshots, reader, snapshotKey)
      : getCurrent(browser.snapshots, reader, snapshotKey)
  const render = audience === 'ofrep' ? renderRefetch : renderEvent
  return { audience, snapshotKey, missed: isBehind(known, item.version) ? render(item) : undefined }
}

function audienceOf(reader: Reader, { events }: Query): 'ofrep' | 'server' | 'browser' {
  if (events === 'ofrep') return 'ofrep'
  if (events !== undefined) {
    throw new Problem('invalid_query', 'The parameter "events" may be "ofrep" or left out.')
  }
  return reader.type === 'apiKey' && reader.kind === 'm2m' ? 'server' : 'browser'
}
