import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { Problem } from '@signalbox/contract'
import type { BrowserItem } from '../browser/browser-item.ts'
import { snapshotKeyOf, type SnapshotKey } from '../cache/published.ts'
import type { Reader } from '../cache/reader.ts'
import type { Serving } from '../cache/serving.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import { toProblem } from '../../http/answers/problem-response.ts'
import { newId } from '../../crypto/ids.ts'
import type { RequestMetadata } from '../http/answer.ts'
import { authenticate, requireReaderNetwork } from '../http/authenticate.ts'
import { readOfrepCredential } from '../ofrep/answer-ofrep.ts'
import { createDefinitionSink, type DefinitionSink } from './definition-sink.ts'
import { frame, parseRequest, renderConfiguration, requestBytes, unframe } from './grpc-frames.ts'
import { grpcCodes, refuseCall, renderTrailers, statusOf, type GrpcStatus } from './grpc-status.ts'
import { refuseBrowserKey } from '../flagd/answer-flagd.ts'
import { getByNames } from '../http/find-by-names.ts'

/** Answers one call of flagd's sync service. */
export type AnswerSync = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void

/** Limits how long a request may take to arrive: its few bytes come with its headers. */
const requestMsDefault = 10_000

const service = '/flagd.sync.v1.FlagSyncService/'

interface Call {
  readonly stream: ServerHttp2Stream
  readonly request: RequestMetadata
  readonly reader: Reader
  readonly selector: string
}

/**
 * Creates the answers of flagd's sync service: `SyncFlags`, `FetchAllFlags` and `GetMetadata` of `flagd.sync.v1`. Streams
 * have the limits of event streams, and end as they do: with their key, with the node, with the environment.
 */
export function createAnswerSync(
  serving: Pick<Serving, 'authentication' | 'allowances' | 'streams' | 'now' | 'log'>,
  snapshots: SnapshotStore<BrowserItem>,
  requestMs = requestMsDefault,
): AnswerSync {
  const { authentication, allowances, streams, now, log } = serving
  const open = new Map<SnapshotKey, Set<DefinitionSink>>()
  snapshots.onChange((snapshotKey, item) => {
    if (item === undefined) return streams.end('flagd', snapshotKey)
    const sinks = open.get(snapshotKey)
    if (sinks === undefined) return undefined
    const { payload } = item.flagd().identity
    for (const sink of sinks) sink.send(payload)
    return undefined
  })

  const follow = ({ stream, request, reader, selector }: Call) => {
    const item = findItem(snapshots, reader, selector)
    const snapshotKey = snapshotKeyOf(item)
    const endStatus = () => statusAtEnd(reader, snapshots.find(snapshotKey))
    streams.open({
      audience: 'flagd',
      snapshotKey,
      reader,
      asker: allowances.subjectOf(request, reader),
      missed: undefined,
      begin() {
        const sink = createDefinitionSink(stream, endStatus)
        remember(open, snapshotKey, sink)
        sink.send(item.flagd().identity.payload)
        return sink
      },
    })
  }
  const fetchAll = ({ stream, request, reader, selector }: Call) => {
    const item = findItem(snapshots, reader, selector)
    allowances.forAnswer(request, reader).take()
    sendOne(stream, renderConfiguration(item.flagd().identity.payload))
  }
  const authenticateCall: AuthenticateCall = async (request) => {
    const atMs = now().getTime()
    const credentials = { request, apiKey: undefined, acceptCookies: false, atMs }
    const reader = await authenticate(authentication, credentials)
    requireReaderNetwork(authentication, request, reader)
    return reader
  }
  const answers: Answers = {
    SyncFlags: follow,
    FetchAllFlags: fetchAll,
    // Deprecated, and asked for by older providers, which do without an entry in it.
    GetMetadata: ({ stream }) => sendOne(stream, Buffer.alloc(0)),
  }
  return (stream, headers) => {
    stream.on('error', () => undefined)
    serve(authenticateCall, answers, { stream, headers, requestMs }).catch((thrown: unknown) => {
      const requestId = newId('req', now())
      refuseCall(stream, statusOf(toProblem(thrown, requestId, log), requestId))
    })
  }
}

type AuthenticateCall = (request: RequestMetadata) => Promise<Reader>
/** Maps the methods of the service to their answers. */
type Answers = Readonly<Record<string, (call: Call) => void>>

async function serve(
  authenticateCall: AuthenticateCall,
  answers: Answers,
  {
    stream,
    headers,
    requestMs,
  }: {
    readonly stream: ServerHttp2Stream
    readonly headers: IncomingHttpHeaders
    readonly requestMs: number
  },
): Promise<void> {
  const path = headers[':path'] ?? ''
  const method = path.startsWith(service) ? path.slice(service.length) : ''
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (answer === undefined) return refuseCall(stream, unknownMethod)
  const socket = stream.session?.socket
  if (socket === undefined) return undefined
  const { authorization, 'x-api-key': apiKey, 'x-forwarded-for': forwardedFor } = headers
  const request = readOfrepCredential({
    headers: { authorization, 'x-api-key': apiKey, 'x-forwarded-for': forwardedFor },
    socket,
  })
  const reader = await authenticateCall(request)
  const selector = await readSelector(stream, headers['flagd-selector'], requestMs)
  if (!stream.destroyed) answer({ stream, request, reader, selector })
  return undefined
}

const unknownMethod: GrpcStatus = {
  code: grpcCodes.unimplemented,
  message: 'This address has flagd.sync.v1.FlagSyncService and nothing else.',
}

/** Returns the status with which a stream ends. */
function statusAtEnd(reader: Reader, item: BrowserItem | undefined): GrpcStatus {
  if (!reader.isValid()) {
    const message = 'The API key was revoked, has expired or was changed. Use a valid one.'
    return { code: grpcCodes.unauthenticated, message }
  }
  if (item === undefined) {
    return { code: grpcCodes.notFound, message: 'The schema or the environment was deleted.' }
  }
  return { code: grpcCodes.unavailable, message: 'This node ends the stream. Reconnect.' }
}

function remember(
  open: Map<SnapshotKey, Set<DefinitionSink>>,
  snapshotKey: SnapshotKey,
  sink: DefinitionSink,
): void {
  const sinks = open.get(snapshotKey) ?? new Set()
  open.set(snapshotKey, sinks.add(sink))
  sink.on('close', () => {
    sinks.delete(sink)
    if (sinks.size === 0) open.delete(snapshotKey)
  })
}

function sendOne(stream: ServerHttp2Stream, message: Buffer): void {
  stream.on('wantTrailers', () =>
    stream.sendTrailers(renderTrailers({ code: grpcCodes.ok, message: '' })),
  )
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.end(frame(message))
}

/** Reads the selector: of the header, else of the request, where providers had it before. @throws {Problem} */
async function readSelector(
  stream: ServerHttp2Stream,
  header: string | string[] | undefined,
  requestMs: number,
): Promise<string> {
  const message = unframe(await readRequest(stream, requestMs))
  const request = message === undefined ? undefined : parseRequest(message)
  if (request === undefined) {
    throw new Problem('invalid_query', 'The request is no message of flagd.sync.v1.')
  }
  return typeof header === 'string' ? header : (request.selector ?? '')
}

/** Reads the bytes of a request. A larger one is left unread, and the call can still be answered. @throws {Problem} */
function readRequest(stream: ServerHttp2Stream, requestMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= requestBytes) return
      stream.removeAllListeners('data')
      reject(new Problem('body_too_large', 'The request is too large.'))
    })
    // The whole request has this time: a caller that sends a byte now and then is never silent. Without an error, a caller
    // that is writing may never be told that its call has ended.
    const cut = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), requestMs)
    stream.on('end', () => {
      clearTimeout(cut)
      resolve(Buffer.concat(chunks))
    })
    stream.on('close', () => {
      clearTimeout(cut)
      reject(new Problem('invalid_query', 'The request ended early.'))
    })
  })
}

const pattern = /^(?:flagSetId=)?([^/=]+)\/([^/=]+)$/

/**
 * Returns the snapshot that a selector names, such as `flagSetId=web/production`. Without one the key has to be
 * restricted to one environment, and to one schema where there are several.
 *
 * @throws {Problem} `key_kind_forbidden`, and as `getByNames` does
 */
function findItem(
  snapshots: SnapshotStore<BrowserItem>,
  reader: Reader,
  selector: string,
): BrowserItem {
  refuseBrowserKey(reader)
  if (reader.type === 'person') {
    throw new Problem('invalid_credentials', 'This address accepts only server keys.')
  }
  const { orgId, environmentIds } = reader
  if (selector === '') {
    const [environment, ...others] = environmentIds ?? []
    if (environment === undefined || others.length > 0) throw selectorRequired()
    return getByNames(snapshots, reader, { orgId, environment, schema: undefined })
  }
  const [, schema, environment] = pattern.exec(selector) ?? []
  if (schema === undefined) throw selectorRequired()
  return getByNames(snapshots, reader, { orgId, environment, schema })
}

function selectorRequired(): Problem {
  return new Problem(
    'invalid_query',
    'The key reaches several environments. Set the selector to flagSetId=<schema>/<environment>, or restrict the key to one.',
  )
}
