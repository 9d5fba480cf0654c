import { limits, Problem } from '@signalbox/contract'
import { deliveryEndpoints } from '@signalbox/contract/rest'
import { hasBody, readBody, requireJson } from '../http/body.ts'
import { readJson } from '../http/json.ts'
import { notFound } from '../http/problem-response.ts'
import { validateBody } from '../http/validate.ts'
import type { KeyRing } from '../identity/key-ring.ts'
import type { Allowances } from './allowances.ts'
import type { AnswerAllowance, Exchange } from './answer.ts'
import type { BrowserAnswers } from './browser/answer-browser.ts'
import { streamHeaders } from './event-stream.ts'
import type { NamedPlace } from './find-by-names.ts'
import type { PairKey } from './published.ts'
import type { Query } from './query.ts'
import { mayReadOrganization, type KeyReader, type Reader } from './reader.ts'
import type { ServerAnswers } from './server/answer-server.ts'
import type { Audience } from './stream-registry.ts'
import type { Streams } from './streams.ts'
import type { Target } from './target.ts'

/** A request whose caller is known. */
export interface Read {
  readonly exchange: Exchange
  readonly reader: Reader
  readonly allowance: AnswerAllowance
}

/** Answers a read, or throws the problem to answer with. */
export type Routes = (read: Read, target: Target) => void | Promise<void>

export interface RoutesDeps {
  readonly browser: BrowserAnswers
  readonly server: ServerAnswers
  readonly streams: Streams
  readonly allowances: Pick<Allowances, 'subjectOf'>
  readonly ring: Pick<KeyRing, 'findOrganization'>
}

/** Sends each read down one of two ways: server keys to the snapshots with secrets, everyone else to those without. */
export function createRoutes(deps: RoutesDeps): Routes {
  const { server } = deps
  return (read, target) => {
    const serverReader = findServerReader(read.reader)
    if (serverReader === undefined) return readBrowser(deps, read, target)
    const { exchange, allowance } = read
    const serverRead = { exchange, allowance, reader: serverReader }
    switch (target.route) {
      case 'snapshot':
        return server.snapshot(serverRead, target.pair)
      case 'version':
        return server.version(serverRead, target.pair, target.version)
      case 'stream':
        return openStream(deps, read, {
          audience: 'server',
          pair: target.pair,
          missed: server.follow(serverReader, target.pair, lastEventId(read, target.query)),
        })
      case 'namedSnapshot':
        return server.snapshot(serverRead, placeOf(deps, read, target))
      case 'values':
        return server.values(serverRead, placeOf(deps, read, target))
      case 'value':
        return server.value(serverRead, placeOf(deps, read, target), target.key)
      case 'evaluate':
      case 'nothing':
        return readBrowser(deps, read, target)
    }
  }
}

function readBrowser(deps: RoutesDeps, read: Read, target: Target): void | Promise<void> {
  const { browser } = deps
  switch (target.route) {
    case 'snapshot':
      return browser.snapshot(read, target.pair)
    case 'version':
      return browser.version(read, target.pair, target.version)
    case 'stream':
      return openStream(deps, read, {
        audience: 'browser',
        pair: target.pair,
        missed: browser.follow(read.reader, target.pair, lastEventId(read, target.query)),
      })
    case 'namedSnapshot':
      return browser.snapshot(read, placeOf(deps, read, target))
    case 'values':
      return browser.values(read, placeOf(deps, read, target))
    case 'value':
      return browser.value(read, placeOf(deps, read, target), target.key)
    case 'evaluate':
      return evaluate(deps, read, target)
    case 'nothing':
      throw notFound()
    default:
      return target satisfies never
  }
}

function findServerReader(reader: Reader): KeyReader | undefined {
  return reader.type === 'apiKey' && reader.kind === 'm2m' ? reader : undefined
}

interface NamedTarget {
  readonly organization: string
  readonly query: {
    readonly environment?: string | undefined
    readonly schema?: string | undefined
  }
}

function placeOf(
  { ring }: RoutesDeps,
  { reader }: Read,
  { organization, query }: NamedTarget,
): NamedPlace {
  const orgId = ring.findOrganization(organization)?.id
  if (orgId === undefined || !mayReadOrganization(reader, orgId)) throw notFound()
  return { orgId, environment: query.environment, schema: query.schema }
}

/** EventSource sends the header when it comes back; the parameter is for the first connection of any client. */
function lastEventId({ exchange }: Read, { lastEventId }: Query): string | undefined {
  const header = exchange.request.headers['last-event-id']
  return typeof header === 'string' && header !== '' ? header : lastEventId
}

interface StreamToOpen {
  readonly audience: Audience
  readonly pair: PairKey
  readonly missed: Buffer | undefined
}

function openStream(
  { streams, allowances }: RoutesDeps,
  { exchange, reader, allowance }: Read,
  stream: StreamToOpen,
): void {
  const { request, response, requestId, allowOrigin } = exchange
  const headers = streamHeaders(requestId, allowOrigin)
  if (request.method === 'HEAD') {
    allowance.take()
    response.writeHead(200, headers)
    response.end()
    return
  }
  const subject = allowances.subjectOf(request, reader).place
  streams.open({
    ...stream,
    reader,
    subject,
    begin(text) {
      // Without chunks each event is one write of bytes that all readers share.
      response.removeHeader('Transfer-Encoding')
      response.writeHead(200, headers)
      response.write(text)
      return response
    },
  })
}

async function evaluate(
  deps: RoutesDeps,
  read: Read,
  target: NamedTarget & { readonly key: string },
): Promise<void> {
  // The body is work too.
  read.allowance.take()
  const { request } = read.exchange
  const headers = {
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    contentLength: request.headers['content-length'],
    transferEncoding: request.headers['transfer-encoding'],
  }
  requireJson(headers)
  if (!hasBody(headers)) {
    throw new Problem('invalid_json', 'Send a JSON body, such as {"environment":"production"}.')
  }
  const given = readJson(await readBody(request, headers, limits.bodyBytes))
  const { environment, schema } = validateBody(deliveryEndpoints.evaluateFlag.body, given)
  const named = { environment, schema: schema ?? target.query.schema }
  const place = placeOf(deps, read, { ...target, query: named })
  deps.browser.flag(read, place, target.key)
}
