import type { z } from 'zod'
import type { Egress, OutboundAnswer, OutboundRequest } from '../egress/create-egress.ts'
import { EgressError } from '../egress/egress-error.ts'
import { parseForeignJson } from '../egress/foreign-json.ts'
import { ProviderError, type ProviderFailure } from './provider-error.ts'
import { readUsualLimit, type ReadLimit } from './rates/rate-limit.ts'

/** Describes how a provider is called, and who hears of it. */
export interface ProviderCall {
  readonly provider: string
  readonly egress: Pick<Egress, 'request'>
  readonly now: () => Date
  /** Told of each call how it went: `undefined` when it was answered. */
  readonly observe?: (failed: ProviderError | undefined) => void
  /** Called before each call. Returns the end of a pause in which nothing is sent, because the provider is in trouble. */
  readonly pausedUntil?: () => Date | undefined
  /** Reads the provider's own way to say that it was too much. Default: the usual one. */
  readonly readLimit?: ReadLimit
}

export interface ProviderRequest extends Omit<OutboundRequest, 'body'> {
  readonly url: string
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Lists the statuses that are no failures, besides 2xx and 304. */
  readonly accept?: readonly number[]
  /** `true`: it only reads, and a repeat changes nothing. Default: as the method says. Example: a search by POST. */
  readonly isSafe?: boolean
}

/**
 * Calls a provider once. What a caller can do about a failure is in `failure` of the error.
 *
 * @throws {ProviderError}
 */
export async function callProvider(
  call: ProviderCall,
  request: ProviderRequest,
): Promise<OutboundAnswer> {
  const { provider } = call
  const retryAt = call.pausedUntil?.()
  if (retryAt !== undefined) {
    throw new ProviderError({ provider, failure: 'unavailable', code: 'paused', retryAt })
  }
  try {
    const answer = await callOnce(call, request)
    call.observe?.(undefined)
    return answer
  } catch (error) {
    if (error instanceof ProviderError) call.observe?.(error)
    throw error
  }
}

async function callOnce(call: ProviderCall, request: ProviderRequest): Promise<OutboundAnswer> {
  const { provider, now, readLimit = readUsualLimit } = call
  const { accept = [] } = request
  const answer = await send(call, request)
  const { status } = answer
  const isFailure = status >= 400
  const retryAt = isFailure ? readLimit(answer, now()) : undefined
  if (retryAt === undefined && (status === 304 || accept.includes(status))) return answer
  if (status >= 200 && status < 300) {
    if (isReadable(answer)) return answer
    // A page of something in between, or half an answer, says nothing of what the provider did.
    const failure = isSafe(request) ? 'unavailable' : 'ambiguous'
    throw new ProviderError({ provider, failure, code: 'not_json' })
  }
  const failure = retryAt === undefined ? failureOf(answer, isSafe(request)) : 'rateLimited'
  throw new ProviderError({ provider, failure, code: `http_${status}`, retryAt })
}

async function send(
  { provider, egress }: ProviderCall,
  request: ProviderRequest,
): Promise<OutboundAnswer> {
  const { url, json, form, accept: _judged, isSafe: _declared, ...options } = request
  const headers = { accept: 'application/json', 'user-agent': 'signalbox' }
  const content = renderContent(json, form)
  try {
    return await egress.request(url, {
      ...options,
      headers: { ...headers, ...(content && { 'content-type': content.type }), ...options.headers },
      ...(content && { body: content.body }),
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const failure = isSafe(request) || error.isUnsent ? 'unavailable' : 'ambiguous'
    throw new ProviderError({ provider, failure, code: error.code }, { cause: error })
  }
}

function renderContent(
  json: unknown,
  form: ProviderRequest['form'],
): { readonly type: string; readonly body: string } | undefined {
  if (form !== undefined) {
    return {
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(form).toString(),
    }
  }
  return json === undefined ? undefined : { type: 'application/json', body: JSON.stringify(json) }
}

/** Returns whether an answer is JSON. Nothing at all is an answer as well: 204. */
function isReadable({ body }: OutboundAnswer): boolean {
  if (body.length === 0) return true
  try {
    JSON.parse(body.toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** Returns whether a repeat changes nothing at the provider. */
function isSafe({ method = 'GET', isSafe: isDeclaredSafe }: ProviderRequest): boolean {
  return isDeclaredSafe ?? (method === 'GET' || method === 'HEAD')
}

function failureOf(answer: OutboundAnswer, isRepeatable: boolean): ProviderFailure {
  const { status } = answer
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'notFound'
  // A redirect is not followed. It says nothing about the request: another server answers in the provider's place.
  if (status >= 400 && status < 500) return 'rejected'
  return isRepeatable || isUnaccepted(answer) ? 'unavailable' : 'ambiguous'
}

/**
 * Returns whether an answer says that the request was not taken: 503. Any other failure of a server may have come after its work, and
 * so may the 503 that Envoy answers when it loses the connection to a server that has the request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4
 */
export function isUnaccepted({ status, body }: Pick<OutboundAnswer, 'status' | 'body'>): boolean {
  if (status !== 503) return false
  const reason = /before headers\. (?:retried and .*?)?reset reason: ([a-z ]*)/.exec(
    body.toString('utf8'),
  )
  return reason === null || /connection failure|connection timeout|overflow/.test(reason[1] ?? '')
}

/** Reads the body as a JSON value, ids beyond 2^53 as text; what cannot be read is a provider in trouble. @throws {ProviderError} */
export function readProviderJson(provider: string, { body }: OutboundAnswer): unknown {
  try {
    return parseForeignJson(body.toString('utf8'))
  } catch {
    throw new ProviderError({ provider, failure: 'unavailable', code: 'not_json' })
  }
}

/** Returns a body in the form that is needed. One of another form counts as a provider in trouble. @throws {ProviderError} */
export function parseAnswer<Shape extends z.ZodType>(
  provider: string,
  shape: Shape,
  body: unknown,
): z.output<Shape> {
  const { data, error } = shape.safeParse(body)
  if (error === undefined) return data
  throw new ProviderError({ provider, failure: 'unavailable', code: 'unexpected_answer' })
}
