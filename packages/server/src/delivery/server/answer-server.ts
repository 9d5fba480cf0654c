import { limits } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import {
  answerJson,
  answerNotModified,
  type AnswerAllowance,
  type Exchange,
} from '../http/answer.ts'
import { listsEtag, namesEtag } from '../http/etag.ts'
import { isBehind, renderEvent } from '../streams/event-stream.ts'
import { getByNames, getItem, type NamedPlace } from '../http/find-by-names.ts'
import type { PairKey } from '../cache/published.ts'
import { getReadable, type KeyReader } from '../cache/reader.ts'
import type { Shelf } from '../cache/shelf.ts'
import type { SnapshotArchive } from '../disk/snapshot-archive.ts'
import type { SecretBox } from './secret-box.ts'
import { etagOf, renderSnapshot, renderValue, renderValues, type ServerRow } from './server-item.ts'

export interface ServerAnswersDeps {
  readonly shelf: Shelf<ServerRow>
  readonly archive: SnapshotArchive<ServerRow>
  readonly secrets: SecretBox
  /** The `RateLimit-Policy` header; `undefined` when nothing is limited. */
  readonly rateLimitPolicy: string | undefined
}

/** One read by a server key. */
export interface ServerRead {
  readonly exchange: Exchange
  readonly reader: KeyReader
  readonly allowance: AnswerAllowance
}

/** Answers to server keys, with secrets opened for each answer and forgotten with it. */
export interface ServerAnswers {
  /** The current snapshot, by ids or by names. */
  snapshot(read: ServerRead, place: PairKey | NamedPlace): void
  version(read: ServerRead, pair: PairKey, version: number): void | Promise<void>
  values(read: ServerRead, place: NamedPlace): void
  value(read: ServerRead, place: NamedPlace, key: string): void
  /** What the reader of a stream has missed. */
  follow(reader: KeyReader, pair: PairKey, known: string | undefined): Buffer | undefined
}

type Render = (row: ServerRow, secrets: string) => string | undefined

export function createServerAnswers(deps: ServerAnswersDeps): ServerAnswers {
  const { shelf, archive, secrets, rateLimitPolicy } = deps
  const send = (
    { exchange, allowance }: ServerRead,
    row: ServerRow,
    render: Render,
    isHeld = namesEtag,
  ) => {
    // First of all, so that a node without the root key says so whatever the caller has.
    secrets.assertOpenable(row)
    const headers = {
      ETag: etagOf(row),
      'Cache-Control': 'private, no-store',
      Vary: 'Authorization',
    }
    const ifNoneMatch = exchange.request.headers['if-none-match']
    if (ifNoneMatch !== undefined && isHeld(ifNoneMatch, row.etag)) {
      allowance.giveBack()
      answerNotModified(exchange, headers)
      return
    }
    const remaining = allowance.take()
    const text = render(row, secrets.open(row))
    if (text === undefined) throw notFound()
    const limited =
      remaining === undefined || rateLimitPolicy === undefined
        ? {}
        : { RateLimit: remaining, 'RateLimit-Policy': rateLimitPolicy }
    answerJson(exchange, text, { ...limited, ...headers })
  }
  const sendOlder = async (read: ServerRead, pair: PairKey, version: number) => {
    // Before it is looked for.
    read.allowance.take()
    const row = await archive.find(pair, version)
    send(read, getReadable(read.reader, row), renderSnapshot)
  }

  return {
    snapshot(read, place) {
      send(read, getItem(shelf, read.reader, place), renderSnapshot)
    },
    version(read, pair, version) {
      const row = getReadable(read.reader, shelf.find(pair))
      if (row.version === version) return send(read, row, renderSnapshot)
      const isKept = version < row.version && version > row.version - limits.snapshotVersionsKept
      if (!isKept) throw notFound()
      return sendOlder(read, pair, version)
    },
    values(read, place) {
      send(read, getByNames(shelf, read.reader, place), renderValues)
    },
    value(read, place, key) {
      const row = getByNames(shelf, read.reader, place)
      // `*` is whatever there is, and whether there is this value may be known to the secrets alone.
      send(read, row, (each, opened) => renderValue(each, opened, key), listsEtag)
    },
    follow(reader, pair, known) {
      const row = getReadable(reader, shelf.find(pair))
      return isBehind(known, row.version) ? renderEvent(row) : undefined
    },
  }
}
