import { limits, type ApiKeyKind } from '@signalbox/contract'
import { snapshotEndpoints } from '@signalbox/contract/rest'
import { notFound } from '../../http/answers/problem-response.ts'
import { validateBody } from '../../http/input/validate.ts'
import type { ApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import type { Allowances } from './allowances.ts'
import type { AnswerAllowance, Exchange } from './answer.ts'
import type { BrowserAnswers } from '../browser/answer-browser.ts'
import { beginStream } from '../streams/begin-stream.ts'
import { streamHeaders } from '../streams/event-stream.ts'
import type { SnapshotNames } from './find-by-names.ts'
import { followStream, type FollowRequest } from '../streams/follow-stream.ts'
import type { FlagdAnswers } from '../flagd/answer-flagd.ts'
import type { OfrepAnswers } from '../ofrep/answer-ofrep.ts'
import { parseEvaluationBody } from './evaluation-body.ts'
import { keyKindForbidden } from './key-kind-forbidden.ts'
import { readRequestBody } from './request-body.ts'
import { mayReadOrganization, type KeyReader, type Reader } from '../cache/reader.ts'
import type { RelayAnswers } from '../relay/answer-relay.ts'
import type { ServerAnswers, ServerRead } from '../server/answer-server.ts'
import type { Streams } from '../streams/streams.ts'
import type { Target } from './target.ts'
import { parseVariables } from './render-variables.ts'

/** Describes a request whose caller is authenticated. */
export interface Read {
  readonly exchange: Exchange
  readonly reader: Reader
  readonly allowance: AnswerAllowance
}

/** Answers a read. @throws {Problem} the rejection to answer with */
export type Routes = (read: Read, target: Target) => void | Promise<void>

/** Lists the answers that reads are routed to. */
export interface RoutesDeps {
  readonly browser: BrowserAnswers
  readonly server: ServerAnswers
  readonly ofrep: OfrepAnswers
  readonly flagd: FlagdAnswers
  readonly streams: Streams
  /** Answers the bearers of relay keys. */
  readonly relays: RelayAnswers
  readonly allowances: Pick<Allowances, 'subjectOf'>
  readonly keyCache: Pick<ApiKeyCache, 'findOrganization'>
}

/** Routes each read: server keys to the snapshots with secrets, all other callers to those without. */
export function createRoutes(deps: RoutesDeps): Routes {
  return (read, target) => {
    const relay = findReader(read.reader, 'rly')
    if (relay !== undefined) return deps.relays({ ...read, reader: relay }, target)
    if (!isSnapshotTarget(target))
      throw keyKindForbidden('Only a relay key (sbx_rly_…) reads here.')
    const reader = findReader(read.reader, 'm2m')
    if (reader === undefined) return readBrowser(deps, read, target)
    return readServer(deps, { ...read, reader }, target)
  }
}

/** Describes what is asked of snapshots. The others are answered before. */
type SnapshotTarget = Exclude<
  Target,
  {
    readonly route:
      | 'publicKeys'
      | 'replicaMark'
      | 'replicaStream'
      | 'replicaReport'
      | 'replicaObject'
  }
>

function isSnapshotTarget(target: Target): target is SnapshotTarget {
  return target.route !== 'publicKeys' && !target.route.startsWith('replica')
}

function readServer(
  deps: RoutesDeps,
  read: Read & ServerRead,
  target: SnapshotTarget,
): void | Promise<void> {
  const { server } = deps
  switch (target.route) {
    case 'snapshot':
      return server.snapshot(read, target.snapshotKey)
    case 'version':
      return server.version(read, target.snapshotKey, target.version)
    case 'namedSnapshot':
      return server.snapshot(read, resolveNames(deps, read, target))
    case 'values':
      return server.values(read, resolveNames(deps, read, target), parseVariables(target.query))
    case 'value':
      return server.value(read, resolveNames(deps, read, target), target.key)
    case 'stream':
    case 'flagd':
    case 'evaluate':
    case 'ofrepBulk':
    case 'ofrepFlag':
    case 'nothing':
      return readBrowser(deps, read, target)
    default:
      return target satisfies never
  }
}

function readBrowser(deps: RoutesDeps, read: Read, target: SnapshotTarget): void | Promise<void> {
  const { browser } = deps
  switch (target.route) {
    case 'snapshot':
      return browser.snapshot(read, target.snapshotKey)
    case 'version':
      return browser.version(read, target.snapshotKey, target.version)
    case 'stream':
      return openStream(deps, read, target)
    case 'namedSnapshot':
      return browser.snapshot(read, resolveNames(deps, read, target))
    case 'values':
      return browser.values(read, resolveNames(deps, read, target), parseVariables(target.query))
    case 'value':
      return browser.value(read, resolveNames(deps, read, target), target.key)
    case 'flagd':
      return deps.flagd.definition(read, resolveNames(deps, read, target))
    case 'evaluate':
      return evaluate(deps, read, target)
    case 'ofrepBulk':
      return deps.ofrep.all(read, target)
    case 'ofrepFlag':
      return deps.ofrep.one(read, target, target.key)
    case 'nothing':
      throw notFound()
    default:
      return target satisfies never
  }
}

function findReader(reader: Reader, kind: ApiKeyKind): KeyReader | undefined {
  return reader.type === 'apiKey' && reader.kind === kind ? reader : undefined
}

interface NamedTarget {
  readonly organization: string
  readonly query: {
    readonly environment?: string | undefined
    readonly schema?: string | undefined
  }
}

function resolveNames(
  { keyCache }: RoutesDeps,
  { reader }: Read,
  { organization, query }: NamedTarget,
): SnapshotNames {
  const orgId = keyCache.findOrganization(organization)?.id
  if (orgId === undefined || !mayReadOrganization(reader, orgId)) throw notFound()
  return { orgId, environment: query.environment, schema: query.schema }
}

function openStream(
  deps: RoutesDeps,
  { exchange, reader, allowance }: Read,
  { snapshotKey, query }: Pick<FollowRequest, 'snapshotKey' | 'query'>,
): void {
  const { streams, allowances } = deps
  const { request, response, requestId, allowOrigin } = exchange
  const header = request.headers['last-event-id']
  const lastEventId = typeof header === 'string' ? header : undefined
  const stream = followStream(deps, reader, { snapshotKey, query, lastEventId })
  const headers = streamHeaders(requestId, allowOrigin)
  if (request.method === 'HEAD') {
    allowance.take()
    response.writeHead(200, headers)
    response.end()
    return
  }
  const asker = allowances.subjectOf(request, reader)
  streams.open({ ...stream, reader, asker, begin: beginStream(exchange, headers) })
}

async function evaluate(
  deps: RoutesDeps,
  read: Read,
  target: NamedTarget & { readonly key: string },
): Promise<void> {
  // Taken first, because reading the body is work.
  read.allowance.take()
  const body = readRequestBody(read.exchange, {
    maxBytes: limits.evaluationBodyBytes,
    example: '{"environment":"production"}',
  })
  const json = parseEvaluationBody(await body)
  const {
    environment,
    schema,
    context = {},
  } = validateBody(snapshotEndpoints.evaluateFlag.body, json)
  const named = { environment, schema: schema ?? target.query.schema }
  const names = resolveNames(deps, read, { ...target, query: named })
  deps.browser.flag(read, names, { key: target.key, context })
}
