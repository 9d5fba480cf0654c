import { hash } from 'node:crypto'
import { type EvaluationContext, type Problem, limits } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { ApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import {
  answerJson,
  answerRepresentation,
  type Exchange,
  type Read,
  type RequestMetadata,
} from '../http/answer.ts'
import { readBearerToken } from '../http/bearer-token.ts'
import type { BrowserSource } from '../browser/answer-browser.ts'
import type { BrowserItem } from '../browser/browser-item.ts'
import { listsEtag, renderEtag } from '../http/etag.ts'
import { getByNames, type SnapshotNames } from '../http/find-by-names.ts'
import { corsHeaders } from '../http/header-policy.ts'
import type { Query } from '../http/query.ts'
import { mayReadOrganization, type Reader } from '../cache/reader.ts'
import { targetingKeyMissing } from './flag-set.ts'
import { answerFailure, OfrepFailure } from './ofrep-failure.ts'
import type { OfrepBase } from './ofrep-path.ts'
import { parseEvaluationBody } from '../http/evaluation-body.ts'
import { readRequestBody } from '../http/request-body.ts'

/** Holds what OFREP requests are answered from. Flags are the same for every kind of key, so nothing here reaches a secret. */
export interface OfrepSource {
  readonly browser: Pick<BrowserSource, 'snapshots' | 'policies'>
  readonly keyCache: Pick<ApiKeyCache, 'findOrganization'>
}

/** Locates the flags of a request: its base URL and its query. */
export interface OfrepTarget {
  readonly base: OfrepBase
  readonly query: Query
}

/** Sends every flag for one context, as OFREP 0.3 specifies; 304 when the caller has exactly that. */
export async function answerOfrepBulk(
  source: OfrepSource,
  read: Read,
  target: OfrepTarget,
): Promise<void> {
  const { exchange, allowance } = read
  const item = findItem(source, read, target)
  const bytes = await readEvaluationBody(exchange)
  const rest = renderRest(exchange.request, target.query, item)
  const content = etagOf(item, rest, bytes)
  const ifNoneMatch = exchange.request.headers['if-none-match']
  // The tag covers the request's bytes, so its holder has had an answer to the same request.
  const isHeld = ifNoneMatch !== undefined && listsEtag(ifNoneMatch, content)
  const text = isHeld ? '' : renderBulk(item, readContext(bytes), rest)
  const etag = renderEtag(content, 'identity')
  const representation = {
    coding: 'identity' as const,
    written: text,
    etag,
    content,
    // It is ASCII, so that its length counts its bytes.
    headers: `ETag: ${etag}\r\nContent-Length: ${text.length}\r\n`,
  }
  const policy = source.browser.policies.evaluation(exchange.allowOrigin)
  answerRepresentation(exchange, representation, policy, allowance)
}

/** Evaluates one flag as OFREP 0.3 specifies. */
export async function answerOfrepFlag(
  source: OfrepSource,
  read: Read,
  target: OfrepTarget & { readonly key: string },
): Promise<void> {
  const { exchange } = read
  const item = findItem(source, read, target)
  const context = readContext(await readEvaluationBody(exchange))
  const decided = item.flags().decide(target.key, context)
  if (decided === undefined) throw notFound()
  if (decided.reason === 'unknown') {
    throw new OfrepFailure('validation_failed', 'TARGETING_KEY_MISSING', targetingKeyMissing)
  }
  const headers = { 'Cache-Control': 'no-store', ...corsHeaders(exchange.allowOrigin) }
  answerJson(exchange, decided.text, headers)
}

/** Takes the allowance first, because reading the body is work. */
function findItem(source: OfrepSource, read: Read, target: OfrepTarget): BrowserItem {
  read.allowance.take()
  const names = resolveNames(source, read.reader, target)
  return getByNames(source.browser.snapshots, read.reader, names)
}

/** Sends a rejection in OFREP's form. */
export function refuseOfrep(exchange: Exchange, problem: Problem): void {
  answerFailure(exchange, problem, exchange.flag)
}

/**
 * Returns the request with its credential in `Authorization`. OFREP also allows the header `X-API-Key` (openapi.yaml,
 * securitySchemes); when both are present, `Authorization` counts.
 */
export function readOfrepCredential(request: RequestMetadata): RequestMetadata {
  const { authorization, 'x-api-key': apiKey } = request.headers
  if (authorization !== undefined || typeof apiKey !== 'string') return request
  const headers = { ...request.headers, authorization: `Bearer ${apiKey}` }
  return { headers, socket: request.socket }
}

function resolveNames(
  { keyCache }: OfrepSource,
  reader: Reader,
  { base, query }: OfrepTarget,
): SnapshotNames {
  const schema = base.schema ?? query.schema
  if (base.organization === undefined) return { ...resolveOwnEnvironment(reader, query), schema }
  const orgId = keyCache.findOrganization(base.organization)?.id
  if (orgId === undefined || !mayReadOrganization(reader, orgId)) throw notFound()
  return { orgId, environment: base.environment, schema }
}

/** Returns the environment that the query names, or the only one that the key is restricted to. */
function resolveOwnEnvironment(
  reader: Reader,
  query: Query,
): Pick<SnapshotNames, 'orgId' | 'environment'> {
  const environments = reader.type === 'person' ? null : reader.environmentIds
  const named = query.environment === undefined ? environments : [query.environment]
  const [environment, ...others] = named ?? []
  if (reader.type === 'person' || environment === undefined || others.length > 0) {
    throw new OfrepFailure(
      'invalid_path',
      'GENERAL',
      'This credential reaches several environments. Use a key for one environment, ?environment=, or the base URL ' +
        '…/organizations/{organization}/environments/{environment}.',
    )
  }
  return { orgId: reader.orgId, environment }
}

/**
 * Returns a tag over everything the answer depends on: the version, the whole request, and whether a stream is named or
 * nothing but the flags.
 */
function etagOf(item: BrowserItem, rest: string, body: Buffer): string {
  const request = hash('sha256', body, 'base64url').slice(0, 22)
  if (rest === '') return `${item.etag}-${request}`
  return `${item.etag}${rest.includes('eventStreams') ? '~' : '.'}${request}`
}

/** Renders all flags. */
function renderBulk(item: BrowserItem, context: EvaluationContext, rest: string): string {
  return `{"flags":[${item.flags().renderAll(context)}]${rest}}`
}

/**
 * Renders what stands beside the flags. The version is in the metadata of the set: in that of a flag it would make
 * clients report every flag as changed. With `?only=flags` there is nothing: the provider of Kotlin refuses members that
 * it does not know, and these are among them.
 */
function renderRest(request: RequestMetadata, query: Query, item: BrowserItem): string {
  if (query.only === 'flags') return ''
  return `,"metadata":{"version":${item.version}}${renderStreams(request, query, item)}`
}

/**
 * Renders the URL of the stream of changes. It is constant for a key, because clients reconnect for another URL. Only a
 * browser key may stand in a URL, so other credentials get no stream.
 */
function renderStreams({ headers }: RequestMetadata, { apiKey }: Query, item: BrowserItem): string {
  const token = tokenOf(headers) ?? apiKey
  if (token?.startsWith('sbx_b2m_') !== true) return ''
  const requestUri = `/snapshots/${item.schemaId}/${item.environmentId}/stream?events=ofrep&apiKey=${token}`
  return `,"eventStreams":[{"type":"sse","endpoint":{"requestUri":"${requestUri}"}}]`
}

function tokenOf({ authorization, 'x-api-key': apiKey }: RequestMetadata['headers']) {
  if (authorization !== undefined) return readBearerToken(authorization)
  return typeof apiKey === 'string' ? apiKey : undefined
}

/** Reads the bytes of an evaluation request. @throws {Problem} as `readRequestBody` does */
function readEvaluationBody(exchange: Exchange): Promise<Buffer> {
  return readRequestBody(exchange, {
    maxBytes: limits.evaluationBodyBytes,
    example: '{"context":{"targetingKey":"user-1"}}',
  })
}

/**
 * Parses the context of an evaluation request. An absent one is empty, as clients of anonymous visitors send it. What its
 * attributes hold is judged by the rules that read them.
 *
 * @throws {Problem} with OFREP's `PARSE_ERROR` or `INVALID_CONTEXT`
 */
function readContext(bytes: Buffer): EvaluationContext {
  const body = parseEvaluationBody(bytes)
  if (!isRecord(body)) throw new OfrepFailure('invalid_json', 'PARSE_ERROR', 'Send an object.')
  const context = body['context'] ?? {}
  if (isRecord(context)) return context
  throw new OfrepFailure('validation_failed', 'INVALID_CONTEXT', '"context" must be an object.')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
