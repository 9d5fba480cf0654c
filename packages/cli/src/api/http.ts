import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from '../terminal/cli-error.ts'
import {
  operations,
  type Answer,
  type CallInput,
  type ChangeRequest,
  type OperationName,
} from './operations.ts'
import { deliveryAddressError, isDeliveryHealth } from './address-error.ts'
import { ApiError, type CallSources, type ReceivedProblem } from './problem-error.ts'
import { ChangesRequested } from './requests/changes-requested.ts'

/** Describes the server of the calls, and their timing. */
export interface HttpOptions {
  /** Holds the address without a trailing slash. */
  readonly serverUrl: string
  readonly token: string | undefined
  readonly userAgent: string
  readonly sources?: CallSources
  /** Lets the server make a request of a change that people must approve (RFC 7240 §4.1). Otherwise it refuses the change. */
  readonly prefersRequest?: boolean
  /** Limits a call with all of its retries. */
  readonly totalTimeoutMs?: number
  readonly fetch?: typeof fetch
  readonly onRetry?: (line: string) => void
  /** Wraps each call with its retries, to show progress. */
  readonly during?: <T>(work: () => Promise<T>) => Promise<T>
}

const defaultTimeoutMs = 30_000
const attempts = 3
const longestBodyBytes = 32 * 1024 * 1024
const respondAsync = 'respond-async'
const repeatable = new Set([429, 502, 503, 504])
/** Lists the problems after which a POST is sent again with its `Idempotency-Key`: it was not done, or nobody knows. */
const repeatablePosts: ReadonlySet<string> = new Set(['db_unavailable', 'draining'])

/** Calls an operation of the API by its name; throws an `ApiError` for a problem. */
export type Call = <K extends OperationName>(
  operation: K,
  input?: CallInput<K>,
) => Promise<Answer<K>>

/**
 * Creates the calls of one server's endpoints. Reads are retried when the network or the server fails for a moment,
 * a POST with the same `Idempotency-Key` where the server was not able to take it, and other writes never. Redirects are not
 * followed, so that the token stays with its server. A request that the server made of a change is thrown as `ChangesRequested`.
 */
export function createCall(options: HttpOptions): Call {
  const during = options.during ?? (async (work) => work())
  return (operation, input) =>
    during(async () => (await callWithRepeats(options, operation, input ?? {})).body)
}

/** Describes an answer that is read again and again. */
export interface Reread<K extends OperationName> {
  /** Holds the answer; `undefined` when it is the one that the caller has. */
  readonly body: Answer<K> | undefined
  /** Names the answer for the next read. */
  readonly etag: string | undefined
}

/** Reads what has changed since the answer that `etag` names; throws an `ApiError` for a problem. */
export type CallAgain = <K extends OperationName>(
  operation: K,
  input: CallInput<K>,
  etag: string | undefined,
) => Promise<Reread<K>>

/** Creates reads that cost nothing while nothing has changed. Shows no progress: they go on in the background. */
export function createCallAgain(options: HttpOptions): CallAgain {
  return async (operation, input, etag) => {
    const answer = await callWithRepeats(options, operation, { ...input, ifNoneMatch: etag })
    return { body: answer.isHeld ? undefined : answer.body, etag: answer.etag ?? etag }
  }
}

/** Opens the answer of an operation for reading, however long it takes; throws an `ApiError` for a problem. */
export async function openDownload<K extends OperationName>(
  options: HttpOptions,
  operation: K,
  input: CallInput<K>,
): Promise<ReadableStream<Uint8Array> | null> {
  const [method, path] = operations[operation]
  const url = buildUrl(options.serverUrl, path, input)
  const request = buildRequest(options, method, input)
  const response = await (options.fetch ?? fetch)(url, { ...request, redirect: 'manual' }).catch(
    (error: unknown) => {
      throw unreachable(url, error, options.sources)
    },
  )
  if (response.ok) return response.body
  const refused = rejection(options, { response, body: await readBody(response, url), url })
  throw refused.ok ? new Error('A rejection is no success') : refused.error
}

interface Received<K extends OperationName> {
  readonly body: Answer<K>
  readonly etag: string | undefined
  /** Says that the caller has the answer, and there is no body. */
  readonly isHeld: boolean
}

async function callWithRepeats<K extends OperationName>(
  options: HttpOptions,
  operation: K,
  input: CallInput<K>,
): Promise<Received<K>> {
  const [method, path] = operations[operation]
  const url = buildUrl(options.serverUrl, path, input)
  const request = buildRequest(options, method, input)
  const deadline = Date.now() + (options.totalTimeoutMs ?? defaultTimeoutMs)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(options, url, request, deadline)
    if (outcome.ok) return receive(outcome)
    if (isAbsent(outcome.error, path)) throw await explainAbsent(options, outcome.error)
    const waitMs = Math.max(outcome.retryAfterMs ?? 0, Math.random() * 250 * 2 ** attempt)
    const again = method === 'GET' ? outcome.again : mayPostAgain(method, outcome.error)
    if (attempt >= attempts || !again || Date.now() + waitMs >= deadline) throw outcome.error
    options.onRetry?.(`${outcome.error.message} Trying again.`)
    await sleep(waitMs)
  }
}

/** Returns the answer to a call. @throws {ChangesRequested} the request that the server has made in its place */
function receive<K extends OperationName>({
  body,
  etag,
  isHeld,
  isRequest,
}: Extract<Outcome, { readonly ok: true }>): Received<K> {
  // The server's answers follow the endpoint table; the tests of the server compare the two.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (isRequest) throw new ChangesRequested([body as ChangeRequest])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { body: body as Answer<K>, etag, isHeld }
}

function mayPostAgain(method: string, error: CliError): boolean {
  return method === 'POST' && error instanceof ApiError && repeatablePosts.has(error.code)
}

/** Returns whether the server lacks an endpoint that every API has: one whose path names nothing of a customer's. */
function isAbsent(error: CliError, path: string): boolean {
  return error instanceof ApiError && error.status === 404 && !path.includes('{')
}

/** Returns the error of an address without an API, which names the delivery where it is its address. */
async function explainAbsent(options: HttpOptions, error: CliError): Promise<CliError> {
  const request = buildRequest({ ...options, token: undefined }, 'GET', {})
  const deadline = Date.now() + (options.totalTimeoutMs ?? defaultTimeoutMs)
  const health = await send(options, `${options.serverUrl}/healthz`, request, deadline)
  return health.ok && isDeliveryHealth(health.body)
    ? deliveryAddressError(options.serverUrl, options.sources?.server)
    : error
}

type Outcome =
  | {
      readonly ok: true
      readonly body: unknown
      readonly etag: string | undefined
      readonly isHeld: boolean
      /** Says that the answer is a request that the server made of the change. */
      readonly isRequest: boolean
      readonly retryAfterMs?: undefined
    }
  | {
      readonly ok: false
      readonly error: CliError
      /** Returns whether a retry could help. */
      readonly again: boolean
      readonly retryAfterMs?: number
    }

async function send(
  options: HttpOptions,
  url: string,
  request: PreparedRequest,
  deadline: number,
): Promise<Outcome> {
  const remainingMs = Math.max(1, deadline - Date.now())
  try {
    const response = await (options.fetch ?? fetch)(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(remainingMs),
    })
    const body = await readBody(response, url)
    const isHeld = response.status === 304 && request.headers?.['if-none-match'] !== undefined
    const etag = response.headers.get('etag') ?? undefined
    const isRequest = response.headers.get('preference-applied') === respondAsync
    if (response.ok || isHeld) return { ok: true, body, etag, isHeld, isRequest }
    return rejection(options, { response, body, url })
  } catch (error) {
    if (error instanceof CliError) return { ok: false, error, again: false }
    const isLate = isTimeout(error)
    return { ok: false, error: unreachable(url, error, options.sources), again: !isLate }
  }
}

interface Rejection {
  readonly response: Response
  readonly body: unknown
  readonly url: string
}

function rejection(
  { sources, serverUrl }: HttpOptions,
  { response, body, url }: Rejection,
): Outcome {
  if (response.status >= 300 && response.status < 400) {
    const location = response.headers.get('location')
    return { ok: false, again: false, error: redirected(url, location, sources) }
  }
  const error = new ApiError(response.status, problemOf(body), { url, serverUrl, sources })
  const seconds = Number(response.headers.get('retry-after') ?? '0')
  return {
    ok: false,
    error,
    again: repeatable.has(response.status),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
  }
}

async function readBody(response: Response, url: string): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  if (text.length > longestBodyBytes) {
    throw new CliError('failure', 'answer_too_large', `The response from ${url} is too large.`)
  }
  const type = response.headers.get('content-type') ?? ''
  if (!/^application\/([a-z0-9.-]+\+)?json\b/i.test(type)) {
    if (!response.ok) return undefined
    throw new CliError(
      'failure',
      'not_signalbox',
      `${new URL(url).origin} does not answer like a Signalbox server.`,
      {
        advice: 'Check the address: signalbox doctor',
      },
    )
  }
  return parseJson(text, url)
}

function parseJson(text: string, url: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    return parsed
  } catch (cause) {
    throw new CliError('failure', 'not_signalbox', `${new URL(url).origin} sent invalid JSON.`, {
      cause,
    })
  }
}

function problemOf(body: unknown): ReceivedProblem {
  return typeof body === 'object' && body !== null ? body : {}
}

interface PreparedRequest extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>
}

function buildRequest<K extends OperationName>(
  { token, userAgent, prefersRequest }: HttpOptions,
  method: string,
  { body, upload, ifMatch, ifNoneMatch }: CallInput<K>,
): PreparedRequest {
  const type = upload?.type ?? (body === undefined ? undefined : 'application/json')
  return {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
      ...headersOfWrite(method, prefersRequest === true),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(upload === undefined ? {} : { body: upload.bytes }),
  }
}

function headersOfWrite(method: string, prefersRequest: boolean): Record<string, string> {
  return {
    ...(prefersRequest && method !== 'GET' && { prefer: respondAsync }),
    ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
  }
}

function buildUrl<K extends OperationName>(
  serverUrl: string,
  path: string,
  { params, query }: CallInput<K>,
): string {
  const values: Readonly<Record<string, string>> = { ...params }
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  const url = new URL(`${serverUrl}${filled}`)
  for (const [name, value] of Object.entries<unknown>(query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) url.searchParams.append(name, String(each))
    }
  }
  return url.href
}

function redirected(
  url: string,
  location: string | null,
  { server = 'SIGNALBOX_URL, --server, or "server" in .signalbox.json' }: CallSources = {},
): CliError {
  return new CliError(
    'failure',
    'redirected',
    `${new URL(url).origin} redirects${location === null ? '' : ` to ${location}`}. The command does not send the token there.`,
    { advice: `Use the final address in ${server}` },
  )
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed (NODE_EXTRA_CA_CERTS names your own authority)',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is self-signed (NODE_EXTRA_CA_CERTS names your own authority)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
}

function unreachable(url: string, error: unknown, { server, proxy }: CallSources = {}): CliError {
  const origin = new URL(url).origin
  const cause = error instanceof Error ? error.cause : undefined
  const code = errorCode(cause) ?? errorCode(error)
  const why = isTimeout(error)
    ? 'it did not respond in time'
    : (reasons[code ?? ''] ?? code ?? messageOf(cause) ?? 'the connection failed')
  return new CliError('unreachable', 'unreachable', `Cannot reach ${origin}: ${why}.`, {
    advice: [
      `Check that it is running (signalbox start) and that the address is right (${server ?? 'SIGNALBOX_URL'}). More: signalbox doctor`,
      ...(proxy === undefined
        ? []
        : [`${proxy} sends the request through a proxy. NO_PROXY lists hosts that need none.`]),
    ].join('\n'),
    cause: error,
  })
}

function messageOf(cause: unknown): string | undefined {
  return cause instanceof Error && cause.message !== '' ? cause.message : undefined
}

function errorCode(error: unknown): string | undefined {
  if (error instanceof AggregateError) return errorCode(error.errors[0])
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
