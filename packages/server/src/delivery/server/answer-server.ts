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
import { noHeaders, toSignatureHeaders, type Rendered } from '../http/encoded-body.ts'
import { variablesEtag, type Variables } from '../http/render-variables.ts'
import { getByNames, getItem, type SnapshotNames } from '../http/find-by-names.ts'
import type { SnapshotKey } from '../cache/published.ts'
import { getReadable, type KeyReader } from '../cache/reader.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import type { VersionStore } from '../disk/version-store.ts'
import type { SecretBox } from './secret-box.ts'
import {
  etagOf,
  renderRowVariables,
  renderSnapshot,
  renderValue,
  renderValues,
  type ServerRow,
} from './server-item.ts'

/** Lists what reads by server keys are answered from. */
export interface ServerAnswersDeps {
  readonly snapshots: SnapshotStore<ServerRow>
  readonly versionStore: VersionStore<ServerRow>
  readonly secrets: SecretBox
  /** Holds the `RateLimit-Policy` header; `undefined` when rate limits are off. */
  readonly rateLimitPolicy: string | undefined
}

/** Describes one read by a server key. */
export interface ServerRead {
  readonly exchange: Exchange
  readonly reader: KeyReader
  readonly allowance: AnswerAllowance
}

/** Answers server keys. Secrets are opened for each answer and not retained. */
export interface ServerAnswers {
  /** Sends the current snapshot, found by ids or by names. */
  snapshot(read: ServerRead, ref: SnapshotKey | SnapshotNames): void
  version(read: ServerRead, snapshotKey: SnapshotKey, version: number): void | Promise<void>
  /** Sends every value by its key, or as environment variables. */
  values(read: ServerRead, names: SnapshotNames, variables: Variables | undefined): void
  value(read: ServerRead, names: SnapshotNames, key: string): void
  /** Returns the event that a stream's reader has missed, or `undefined` when `known` is current. */
  follow(reader: KeyReader, snapshotKey: SnapshotKey, known: string | undefined): Buffer | undefined
}

/** Says how an answer is recognised, where its tag is not the snapshot's. */
interface Tagged {
  readonly isHeld?: typeof namesEtag
  readonly etag?: string
}

type Render = (row: ServerRow, secrets: string) => Rendered | undefined

/** Renders a text that has no header of its own. */
const plain =
  (render: (row: ServerRow, secrets: string) => string | undefined): Render =>
  (row, secrets) => {
    const text = render(row, secrets)
    return text === undefined ? undefined : { text, headers: noHeaders }
  }

type Send = (read: ServerRead, row: ServerRow, render: Render, tagged?: Tagged) => void

function createSend({
  secrets,
  rateLimitPolicy,
}: Pick<ServerAnswersDeps, 'secrets' | 'rateLimitPolicy'>): Send {
  return ({ exchange, allowance }, row, render, { isHeld = namesEtag, etag = row.etag } = {}) => {
    // Checked first, so that a node without the root key refuses even a read that would be a 304.
    secrets.assertOpenable(row)
    const headers = {
      ETag: etagOf(etag),
      'Cache-Control': 'private, no-store',
      Vary: 'Authorization',
    }
    const ifNoneMatch = exchange.request.headers['if-none-match']
    if (ifNoneMatch !== undefined && isHeld(ifNoneMatch, etag)) {
      allowance.refund()
      answerNotModified(exchange, headers)
      return
    }
    const remaining = allowance.take()
    const rendered = render(row, secrets.open(row))
    if (rendered === undefined) throw notFound()
    const limited =
      remaining === undefined || rateLimitPolicy === undefined
        ? {}
        : { RateLimit: remaining, 'RateLimit-Policy': rateLimitPolicy }
    answerJson(exchange, rendered.text, { ...limited, ...headers, ...rendered.headers })
  }
}

/** Creates the answers to server keys. */
export function createServerAnswers(deps: ServerAnswersDeps): ServerAnswers {
  const { snapshots, versionStore } = deps
  const send = createSend(deps)
  const renderSigned: Render = (row, secretsText) => ({
    text: renderSnapshot(row, secretsText),
    headers: toSignatureHeaders(deps.secrets.openSignature(row)),
  })
  const sendOlder = async (read: ServerRead, snapshotKey: SnapshotKey, version: number) => {
    // Taken first, because finding an old version is work.
    read.allowance.take()
    const row = await versionStore.find(snapshotKey, version)
    send(read, getReadable(read.reader, row), renderSigned)
  }

  return {
    snapshot(read, ref) {
      send(read, getItem(snapshots, read.reader, ref), renderSigned)
    },
    version(read, snapshotKey, version) {
      const row = getReadable(read.reader, snapshots.find(snapshotKey))
      if (row.version === version) return send(read, row, renderSigned)
      const isKept = version < row.version && version > row.version - limits.snapshotVersionsKept
      if (!isKept) throw notFound()
      return sendOlder(read, snapshotKey, version)
    },
    values(read, names, variables) {
      const row = getByNames(snapshots, read.reader, names)
      if (variables === undefined) return send(read, row, plain(renderValues))
      // Only the secrets tell whether every key has a variable, so `If-None-Match: *` is no reason for a 304 here.
      const tagged = { isHeld: listsEtag, etag: variablesEtag(row.etag, variables) }
      send(
        read,
        row,
        (each, secretsText) => renderRowVariables(each, secretsText, variables),
        tagged,
      )
    },
    value(read, names, key) {
      const row = getByNames(snapshots, read.reader, names)
      // Only the secrets tell whether the key exists, so `If-None-Match: *` is no reason for a 304 here.
      send(
        read,
        row,
        plain((each, secretsText) => renderValue(each, secretsText, key)),
        { isHeld: listsEtag },
      )
    },
    follow(reader, snapshotKey, known) {
      const row = getReadable(reader, snapshots.find(snapshotKey))
      return isBehind(known, row.version) ? renderEvent(row) : undefined
    },
  }
}
