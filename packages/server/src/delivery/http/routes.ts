import { limits, type ApiKeyKind } from '@signalbox/contract'
import { snapshotEndpoints } from '@signalbox/contract/rest'
import { notFound } from '../../http/answers/problem-response.ts'
import { validateBody } from '../../http/input/validate.ts'
import {
  answerBrowserSnapshot,
  answerBrowserValue,
  answerBrowserValues,
  answerBrowserVersion,
  answerEvaluation,
} from '../browser/answer-browser.ts'
import { mayReadOrganization, type KeyReader } from '../cache/reader.ts'
import type { Serving } from '../cache/serving.ts'
import { answerFlagd } from '../flagd/answer-flagd.ts'
import { answerOfrepBulk, answerOfrepFlag } from '../ofrep/answer-ofrep.ts'
import { answerRelay } from '../relay/answer-relay.ts'
import {
  answerServerSnapshot,
  answerServerValue,
  answerServerValues,
  answerServerVersion,
} from '../server/answer-server.ts'
import { beginStream } from '../streams/begin-stream.ts'
import { streamHeaders } from '../streams/event-stream.ts'
import { followStream, type FollowRequest } from '../streams/follow-stream.ts'
import type { Read } from './answer.ts'
import { parseEvaluationBody } from './evaluation-body.ts'
import type { SnapshotNames } from './find-by-names.ts'
import { keyKindForbidden } from './key-kind-forbidden.ts'
import { parseVariables } from './render-variables.ts'
import { readRequestBody } from './request-body.ts'
import type { Target } from './target.ts'

/**
 * Answers a read: a server key from the snapshots with secrets, all other callers from those without.
 *
 * @throws {Problem} the rejection to answer with
 */
export function answerRead(serving: Serving, read: Read, target: Target): void | Promise<void> {
  if (isReadBy(read, 'rly')) return answerRelay(serving, read, target)
  if (!isSnapshotTarget(target)) throw keyKindForbidden('Only a relay key (sbx_rly_…) reads here.')
  if (isReadBy(read, 'm2m')) return answerServer(serving, read, target)
  return answerBrowser(serving, read, target)
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

function answerServer(
  serving: Serving,
  read: Read<KeyReader>,
  target: SnapshotTarget,
): void | Promise<void> {
  const source = serving.server
  switch (target.route) {
    case 'snapshot':
      return answerServerSnapshot(source, read, target.snapshotKey)
    case 'version':
      return answerServerVersion(source, read, target.snapshotKey, target.version)
    case 'namedSnapshot':
      return answerServerSnapshot(source, read, resolveNames(serving, read, target))
    case 'values': {
      const names = resolveNames(serving, read, target)
      return answerServerValues(source, read, names, parseVariables(target.query))
    }
    case 'value':
      return answerServerValue(source, read, resolveNames(serving, read, target), target.key)
    case 'stream':
    case 'flagd':
    case 'evaluate':
    case 'ofrepBulk':
    case 'ofrepFlag':
    case 'nothing':
      return answerBrowser(serving, read, target)
    default:
      return target satisfies never
  }
}

function answerBrowser(serving: Serving, read: Read, target: SnapshotTarget): void | Promise<void> {
  const source = serving.browser
  switch (target.route) {
    case 'snapshot':
      return answerBrowserSnapshot(source, read, target.snapshotKey)
    case 'version':
      return answerBrowserVersion(source, read, target.snapshotKey, target.version)
    case 'stream':
      return openStream(serving, read, target)
    case 'namedSnapshot':
      return answerBrowserSnapshot(source, read, resolveNames(serving, read, target))
    case 'values': {
      const names = resolveNames(serving, read, target)
      return answerBrowserValues(source, read, names, parseVariables(target.query))
    }
    case 'value':
      return answerBrowserValue(source, read, resolveNames(serving, read, target), target.key)
    case 'flagd':
      return answerFlagd(source, read, resolveNames(serving, read, target))
    case 'evaluate':
      return evaluate(serving, read, target)
    case 'ofrepBulk':
      return answerOfrepBulk(serving, read, target)
    case 'ofrepFlag':
      return answerOfrepFlag(serving, read, target)
    case 'nothing':
      throw notFound()
    default:
      return target satisfies never
  }
}

function isReadBy(read: Read, kind: ApiKeyKind): read is Read<KeyReader> {
  return read.reader.type === 'apiKey' && read.reader.kind === kind
}

interface NamedTarget {
  readonly organization: string
  readonly query: {
    readonly environment?: string | undefined
    readonly schema?: string | undefined
  }
}

function resolveNames(
  { keyCache }: Serving,
  { reader }: Read,
  { organization, query }: NamedTarget,
): SnapshotNames {
  const orgId = keyCache.findOrganization(organization)?.id
  if (orgId === undefined || !mayReadOrganization(reader, orgId)) throw notFound()
  return { orgId, environment: query.environment, schema: query.schema }
}

function openStream(
  serving: Serving,
  { exchange, reader, allowance }: Read,
  { snapshotKey, query }: Pick<FollowRequest, 'snapshotKey' | 'query'>,
): void {
  const { streams, allowances } = serving
  const { request, response, requestId, allowOrigin } = exchange
  const header = request.headers['last-event-id']
  const lastEventId = typeof header === 'string' ? header : undefined
  const stream = followStream(serving, reader, { snapshotKey, query, lastEventId })
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
  serving: Serving,
  read: Read,
  target: NamedTarget & { readonly key: string; readonly of: string },
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
  const names = resolveNames(serving, read, { ...target, query: named })
  answerEvaluation(serving.browser, read, names, { key: target.key, of: target.of, context })
}
