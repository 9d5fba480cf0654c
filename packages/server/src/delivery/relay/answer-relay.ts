import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import {
  parseReport,
  reportLimits,
  type ReplicaReport,
  type ReportSource,
} from '../../replica/report.ts'
import type { KeyReader } from '../cache/reader.ts'
import type { Allowances } from '../http/allowances.ts'
import { answerJson, type Exchange, type Read } from '../http/answer.ts'
import { keyKindForbidden } from '../http/key-kind-forbidden.ts'
import { readRequestBody } from '../http/request-body.ts'
import type { Target } from '../http/target.ts'
import { beginStream } from '../streams/begin-stream.ts'
import { streamHeaders } from '../streams/event-stream.ts'
import type { Streams } from '../streams/streams.ts'
import { replicaTopic, type ReplicaFeed } from './origin.ts'
import { wayHeader } from './way.ts'

/** Takes the report of a node. Rejects when it cannot be recorded now. */
export type RecordReport = (report: ReplicaReport, source: ReportSource) => void | Promise<void>

/** Holds what relays are answered from. */
export interface RelaySource {
  /** Undefined: this node has no key to sign with, and is fed by none that has. */
  readonly replica: ReplicaFeed | undefined
  readonly recordReport: RecordReport | undefined
  /** Returns the ids of the nodes between the database and the readers of this node, this one included. */
  readonly way: () => readonly string[]
  readonly streams: Streams
  readonly allowances: Pick<Allowances, 'subjectOf'>
}

/**
 * Answers a request with a relay key. Relays poll each second, so that reading costs no allowance.
 *
 * @throws {Problem} the rejection to answer with
 */
export function answerRelay(
  source: RelaySource,
  read: Read<KeyReader>,
  target: Target,
): void | Promise<void> {
  const { exchange, reader } = read
  const ids = source.way()
  // On rejections as well: two relays that feed each other have no mark to answer with.
  if (ids.length > 0) exchange.response.setHeader(wayHeader, ids.join(', '))
  const { route } = target
  if (route === 'replicaMark') {
    const headers = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' }
    return answerJson(exchange, JSON.stringify(known(source.replica).mark(reader)), headers)
  }
  if (route === 'replicaObject') {
    return answerObject(exchange, known(source.replica).find(reader, target.sha256))
  }
  if (route === 'replicaStream') return openStream(source, read)
  if (route === 'replicaReport') return takeReport(read, known(source.recordReport))
  throw keyKindForbidden('A relay key (sbx_rly_…) only feeds a relay, below /replica.')
}

function known<T>(part: T | undefined): T {
  if (part === undefined) throw notFound()
  return part
}

function answerObject(exchange: Exchange, text: string | undefined): void {
  answerJson(exchange, known(text), {
    'Content-Type': 'text/plain; charset=utf-8',
    // Named by its hash, so it never changes.
    'Cache-Control': 'private, max-age=31536000, immutable',
    Vary: 'Authorization',
  })
}

/** Opens a stream that says when there is another mark. It says nothing of what has changed. */
function openStream(
  { replica, streams, allowances }: RelaySource,
  { exchange, reader, allowance }: Read<KeyReader>,
): void {
  const { request, response, requestId } = exchange
  // Refuses a key that this node passes nothing on to.
  known(replica).mark(reader)
  const headers = streamHeaders(requestId, undefined)
  if (request.method === 'HEAD') {
    allowance.take()
    response.writeHead(200, headers)
    response.end()
    return
  }
  streams.open({
    audience: 'replica',
    snapshotKey: replicaTopic,
    missed: undefined,
    reader,
    asker: allowances.subjectOf(request, reader),
    begin: beginStream(exchange, headers),
  })
}

async function takeReport(
  { exchange, reader, allowance }: Read<KeyReader>,
  recordReport: RecordReport,
): Promise<void> {
  // Taken first, because reading the body is work.
  allowance.take()
  const body = await readRequestBody(exchange, {
    maxBytes: reportLimits.bytes,
    example: '{"nodes":[],"uses":[]}',
  })
  const report = parseReport(body.toString('utf8'))
  if (report === undefined) {
    throw new Problem(
      'validation_failed',
      'The body must be the report of a relay: nodes and uses.',
    )
  }
  const { orgId, keyId, environmentIds } = reader
  const scope = { orgIds: new Set([orgId]), environmentIds }
  await recordReport(report, { reporter: keyId, scope })
  exchange.response.writeHead(204, { 'X-Request-Id': exchange.requestId })
  exchange.response.end()
}
