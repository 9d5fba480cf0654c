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
import { answerJson, type AnswerAllowance, type Exchange } from '../http/answer.ts'
import { keyKindForbidden } from '../http/key-kind-forbidden.ts'
import { readRequestBody } from '../http/request-body.ts'
import type { Target } from '../http/target.ts'
import { beginStream } from '../streams/begin-stream.ts'
import { streamHeaders } from '../streams/event-stream.ts'
import type { Streams } from '../streams/streams.ts'
import { replicaTopic, type ReplicaFeed } from './origin.ts'
import { wayHeader } from './way.ts'

/** Describes a request with a relay key. */
export interface RelayRead {
  readonly exchange: Exchange
  readonly reader: KeyReader
  readonly allowance: AnswerAllowance
}

/** Answers a request with a relay key. @throws {Problem} the rejection to answer with */
export type RelayAnswers = (read: RelayRead, target: Target) => void | Promise<void>

/** Takes the report of a node. Rejects when it cannot be recorded now. */
export type RecordReport = (report: ReplicaReport, source: ReportSource) => void | Promise<void>

export interface RelayAnswersDeps {
  /** Undefined: this node has no key to sign with, and is fed by none that has. */
  readonly replica: ReplicaFeed | undefined
  readonly recordReport: RecordReport | undefined
  /** Returns the ids of the nodes between the database and the readers of this node, this one included. */
  readonly way: () => readonly string[]
  readonly streams: Streams
  readonly allowances: Pick<Allowances, 'subjectOf'>
}

/** Creates the answers to relays. They poll each second, so that reading costs no allowance. */
export function createRelayAnswers(deps: RelayAnswersDeps): RelayAnswers {
  const { replica, recordReport, way } = deps
  return (read, target) => {
    const { exchange, reader } = read
    const ids = way()
    // On rejections as well: two relays that feed each other have no mark to answer with.
    if (ids.length > 0) exchange.response.setHeader(wayHeader, ids.join(', '))
    const { route } = target
    if (route === 'replicaMark') {
      const headers = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' }
      return answerJson(exchange, JSON.stringify(known(replica).mark(reader)), headers)
    }
    if (route === 'replicaObject') {
      return answerObject(exchange, known(replica).find(reader, target.sha256))
    }
    if (route === 'replicaStream') return openStream(deps, read)
    if (route === 'replicaReport') return takeReport(read, known(recordReport))
    throw keyKindForbidden('A relay key (sbx_rly_…) only feeds a relay, below /replica.')
  }
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
  { replica, streams, allowances }: RelayAnswersDeps,
  { exchange, reader, allowance }: RelayRead,
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
  { exchange, reader, allowance }: RelayRead,
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
