import { limits } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { answerJson, answerNotModified, type Read } from '../http/answer.ts'
import { listsEtag, namesEtag } from '../http/etag.ts'
import { noHeaders, toSignatureHeaders, type Rendered } from '../http/encoded-body.ts'
import { variablesEtag, type Variables } from '../http/render-variables.ts'
import { getByNames, getCurrent, getItem, type SnapshotNames } from '../http/find-by-names.ts'
import type { SnapshotKey } from '../cache/published.ts'
import { getReadable, type KeyReader } from '../cache/reader.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import type { VersionStore } from '../disk/version-store.ts'
import type { SecretBox } from './secret-box.ts'
import {
  etagOf,
  hasSecret,
  renderRowVariables,
  renderSnapshot,
  renderValue,
  renderValues,
  type ServerRow,
} from './server-item.ts'

/** Holds what reads by server keys are answered from. Secrets are opened for each answer and not retained. */
export interface ServerSource {
  readonly snapshots: SnapshotStore<ServerRow>
  readonly versionStore: VersionStore<ServerRow>
  readonly secrets: SecretBox
  /** Holds the `RateLimit-Policy` header; `undefined` when rate limits are off. */
  readonly rateLimitPolicy: string | undefined
}

type ServerRead = Read<KeyReader>

/** Sends the current snapshot, found by ids or by names. */
export function answerServerSnapshot(
  source: ServerSource,
  read: ServerRead,
  ref: SnapshotKey | SnapshotNames,
): void {
  sendSigned(source, read, getItem(source.snapshots, read.reader, ref))
}

/** Sends a version: the current one from memory, an older one from the disk or the database. */
export function answerServerVersion(
  source: ServerSource,
  read: ServerRead,
  snapshotKey: SnapshotKey,
  version: number,
): void | Promise<void> {
  const row = getCurrent(source.snapshots, read.reader, snapshotKey)
  if (row.version === version) return sendSigned(source, read, row)
  const isKept = version < row.version && version > row.version - limits.snapshotVersionsKept
  if (!isKept) throw notFound()
  return sendOlder(source, read, snapshotKey, version)
}

async function sendOlder(
  source: ServerSource,
  read: ServerRead,
  snapshotKey: SnapshotKey,
  version: number,
): Promise<void> {
  // Taken first, because finding an old version is work.
  read.allowance.take()
  const row = await source.versionStore.find(snapshotKey, version)
  sendSigned(source, read, getReadable(read.reader, row))
}

/** Sends every value by its key, or as environment variables. */
export function answerServerValues(
  source: ServerSource,
  read: ServerRead,
  names: SnapshotNames,
  variables: Variables | undefined,
): void {
  const row = getByNames(source.snapshots, read.reader, names)
  if (variables === undefined) return send(source, read, row, { render: plain(renderValues) })
  // Only the secrets tell whether every key has a variable, so `If-None-Match: *` is no reason for a 304 here.
  return send(source, read, row, {
    render: (each, secretsText) => renderRowVariables(each, secretsText, variables),
    isHeld: listsEtag,
    etag: variablesEtag(row.etag, variables),
  })
}

export function answerServerValue(
  source: ServerSource,
  read: ServerRead,
  names: SnapshotNames,
  key: string,
): void {
  // Only the secrets tell whether the key exists, so `If-None-Match: *` is no reason for a 304 here.
  send(source, read, getByNames(source.snapshots, read.reader, names), {
    render: plain((each, secretsText) => renderValue(each, secretsText, key)),
    holdsSecrets: (secretsText) => hasSecret(secretsText, key),
    isHeld: listsEtag,
  })
}

interface ServerAnswer {
  readonly render: Render
  /** Returns whether the answer has secrets. Default: it has all that there are. */
  readonly holdsSecrets?: (secretsText: string) => boolean
  /** Returns whether the caller has it. Default: the caller names the snapshot's tag. */
  readonly isHeld?: typeof namesEtag
  /** Default: the snapshot's. */
  readonly etag?: string
}

type Render = (row: ServerRow, secrets: string) => Rendered | undefined

/** Renders a text that has no header of its own. */
function plain(render: (row: ServerRow, secrets: string) => string | undefined): Render {
  return (row, secrets) => {
    const text = render(row, secrets)
    return text === undefined ? undefined : { text, headers: noHeaders }
  }
}

function sendSigned(source: ServerSource, read: ServerRead, row: ServerRow): void {
  const render: Render = (each, secretsText) => ({
    text: renderSnapshot(each, secretsText),
    headers: toSignatureHeaders(source.secrets.openSignature(each)),
  })
  send(source, read, row, { render })
}

function send(
  { secrets, rateLimitPolicy }: ServerSource,
  { exchange, allowance, reader }: ServerRead,
  row: ServerRow,
  { render, holdsSecrets = hasAny, isHeld = namesEtag, etag = row.etag }: ServerAnswer,
): void {
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
  const secretsText = secrets.open(row)
  const rendered = render(row, secretsText)
  if (rendered === undefined) throw notFound()
  if (holdsSecrets(secretsText)) reader.noteSecretRead()
  const limited =
    remaining === undefined || rateLimitPolicy === undefined
      ? {}
      : { RateLimit: remaining, 'RateLimit-Policy': rateLimitPolicy }
  answerJson(exchange, rendered.text, { ...limited, ...headers, ...rendered.headers })
}

function hasAny(secretsText: string): boolean {
  return secretsText !== '{}'
}
