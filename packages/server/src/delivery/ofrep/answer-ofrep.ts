import { hash } from 'node:crypto'
import { claimedTokenKind, type EvaluationContext, type Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { KeyRing } from '../../identity/key-ring/key-ring.ts'
import {
  answerJson,
  answerRepresentation,
  type AnswerAllowance,
  type Exchange,
  type RequestHead,
} from '../http/answer.ts'
import { readBearerToken } from '../http/bearer-token.ts'
import type { BrowserItem } from '../browser/browser-item.ts'
import { listsEtag, renderEtag } from '../http/etag.ts'
import { getByNames, type NamedPlace } from '../http/find-by-names.ts'
import { corsHeaders, type HeaderPolicies } from '../http/header-policy.ts'
import type { Query } from '../http/query.ts'
import { mayReadOrganization, type Reader } from '../cache/reader.ts'
import type { Shelf } from '../cache/shelf.ts'
import { readContext, readEvaluationBody } from './evaluation-request.ts'
import { answerFailure, OfrepFailure } from './ofrep-failure.ts'
import type { OfrepBase } from './ofrep-path.ts'

export interface OfrepAnswersDeps {
  /** Flags and their rules are the same for every kind of key, so nothing here can reach a secret. */
  readonly shelf: Shelf<BrowserItem>
  readonly policies: Pick<HeaderPolicies, 'evaluation'>
  readonly ring: Pick<KeyRing, 'findOrganization'>
}

export interface OfrepRead {
  readonly exchange: Exchange
  readonly reader: Reader
  readonly allowance: AnswerAllowance
}

export interface OfrepPlace {
  readonly base: OfrepBase
  readonly query: Query
}

/** Evaluates flags as OFREP 0.3 asks for it, from memory. */
export interface OfrepAnswers {
  /** Every flag for one context; 304 when the caller has exactly that. */
  all(read: OfrepRead, place: OfrepPlace): Promise<void>
  one(read: OfrepRead, place: OfrepPlace, key: string): Promise<void>
}

export function createOfrepAnswers(deps: OfrepAnswersDeps): OfrepAnswers {
  const { shelf, policies } = deps
  const open = (read: OfrepRead, place: OfrepPlace) => {
    // The body is work too.
    read.allowance.take()
    const item = getByNames(shelf, read.reader, namePlace(deps, read.reader, place))
    return { item, body: readEvaluationBody(read.exchange) }
  }
  return {
    async all(read, place) {
      const { exchange, allowance } = read
      const { item, body } = open(read, place)
      const bytes = await body
      const streams = renderStreams(exchange.request, place.query, item)
      const content = etagOf(item, streams, bytes)
      const ifNoneMatch = exchange.request.headers['if-none-match']
      // Whoever has the tag had an answer to these very bytes.
      const isHeld = ifNoneMatch !== undefined && listsEtag(ifNoneMatch, content)
      const text = isHeld ? '' : renderBulk(item, readContext(bytes), streams)
      const representation = {
        coding: 'identity' as const,
        payload: Buffer.from(text),
        etag: renderEtag(content, 'identity'),
        content,
      }
      answerRepresentation(
        exchange,
        representation,
        policies.evaluation(exchange.allowOrigin),
        allowance,
      )
    },
    async one({ exchange, ...read }, place, key) {
      const { item, body } = open({ exchange, ...read }, place)
      const decided = item.flags().decide(key, readContext(await body))
      if (decided === undefined) throw notFound()
      if (decided.reason === 'unknown') throw targetingKeyMissing()
      const headers = { 'Cache-Control': 'no-store', ...corsHeaders(exchange.allowOrigin) }
      answerJson(exchange, decided.text, headers)
    },
  }
}

/** Answers a refusal of `exchange` as OFREP has it. */
export function refuseOfrep(exchange: Exchange, problem: Problem): void {
  answerFailure(exchange, problem, exchange.flag)
}

/**
 * The credential as everywhere else, or in `X-API-Key`, which is OFREP's other way (openapi.yaml, securitySchemes). Given
 * both, the first counts.
 */
export function readOfrepCredential(request: RequestHead): RequestHead {
  const { authorization, 'x-api-key': apiKey } = request.headers
  if (authorization !== undefined || typeof apiKey !== 'string') return request
  const headers = { ...request.headers, authorization: `Bearer ${apiKey}` }
  return { headers, socket: request.socket }
}

function namePlace(
  { ring }: OfrepAnswersDeps,
  reader: Reader,
  { base, query }: OfrepPlace,
): NamedPlace {
  const { schema } = query
  if (base.organization === undefined) return { ...ownPlace(reader, query), schema }
  const orgId = ring.findOrganization(base.organization)?.id
  if (orgId === undefined || !mayReadOrganization(reader, orgId)) throw notFound()
  return { orgId, environment: base.environment, schema }
}

/** The environment that is named, or that the key is restricted to. */
function ownPlace(reader: Reader, query: Query): Pick<NamedPlace, 'orgId' | 'environment'> {
  const environments = reader.type === 'person' ? null : reader.environmentIds
  const named = query.environment === undefined ? environments : [query.environment]
  const [environment, ...others] = named ?? []
  if (reader.type === 'person' || environment === undefined || others.length > 0) {
    throw new OfrepFailure(
      'invalid_path',
      'GENERAL',
      'This credential is not restricted to one environment. Use a key that is, ?environment=, or the base URL ' +
        '…/organizations/{organization}/environments/{environment}.',
    )
  }
  return { orgId: reader.orgId, environment }
}

function targetingKeyMissing(): Problem {
  return new OfrepFailure(
    'validation_failed',
    'TARGETING_KEY_MISSING',
    'The flag is rolled out by targetingKey. Give one in the context.',
  )
}

/** Of everything that an answer depends on: the version, the whole request, and whether it names a stream. */
function etagOf(item: BrowserItem, streams: string, body: Buffer): string {
  const request = hash('sha256', body, 'base64url').slice(0, 22)
  return `${item.etag}${streams === '' ? '.' : '~'}${request}`
}

/** The version stands in the set: in a flag it would make clients report each of them as changed. */
function renderBulk(item: BrowserItem, context: EvaluationContext, streams: string): string {
  const flags = item.flags().renderAll(context)
  return `{"flags":[${flags}],"metadata":{"version":${item.version}}${streams}}`
}

/**
 * Where a browser hears of changes. The URL stays the same while the key does: clients open another stream for another URL.
 * Only a browser key may stand in a URL, so whoever sent something else is told of none.
 */
function renderStreams({ headers }: RequestHead, { apiKey }: Query, item: BrowserItem): string {
  const token = tokenOf(headers) ?? apiKey
  if (token === undefined || claimedTokenKind(token) !== 'b2m') return ''
  const requestUri = `/snapshots/${item.schemaId}/${item.environmentId}/stream?events=ofrep&apiKey=${token}`
  return `,"eventStreams":[{"type":"sse","endpoint":{"requestUri":"${requestUri}"}}]`
}

function tokenOf({ authorization, 'x-api-key': apiKey }: RequestHead['headers']) {
  if (authorization !== undefined) return readBearerToken(authorization)
  return typeof apiKey === 'string' ? apiKey : undefined
}
