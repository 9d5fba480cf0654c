import type { EndpointShape } from '@signalbox/contract/rest'
import { IdempotentReplay } from '../store/scope.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { authorizeRequest, type GuardDeps } from './admission/authorize-request.ts'
import type { ClientAddress } from './admission/client-address.ts'
import { matchesEtag } from './admission/preconditions.ts'
import { refundAllowance } from './admission/take-allowance.ts'
import { AnsweredInstead } from './answers/answered-instead.ts'
import { compressAnswer } from './answers/compress-answer.ts'
import { beginStream, type StreamHandler } from './answers/stream-answer.ts'
import { assertDeclared } from './assert-declared.ts'
import type { Exchange } from './exchange.ts'
import type {
  EmptyHandler,
  EndpointRequest,
  JsonHandler,
  RawAnswer,
} from './input/endpoint-request.ts'

/** Lists what serving an endpoint needs. */
export interface RouterDeps extends GuardDeps {
  readonly clientAddress: Pick<ClientAddress, 'of'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'recordRequest' | 'recordRateLimited'>
  /**
   * Waits after a write until this node serves it, for a limited time. Returns whether it does. Absent: nothing is
   * waited for.
   */
  readonly readBack?: () => Promise<boolean>
  /** Throws when an answer differs from its endpoint's declaration. For tests and development. */
  readonly checkAnswers?: boolean
}

/** Serves one request. Returns `undefined` when the answer is streamed. */
export type Serve = (
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
) => Promise<RawAnswer | undefined>

/** Describes the handler of an endpoint that answers JSON or 204. */
export type AnyHandler<E extends EndpointShape, T> = EmptyHandler<E, T> & Partial<JsonHandler<E, T>>

/**
 * Serves an endpoint that answers JSON or 204. Sends a 304 for a matching ETag, and the stored answer for a repeated
 * key.
 */
export function serveJson<E extends EndpointShape, T>(
  deps: RouterDeps,
  endpoint: E,
  handler: AnyHandler<E, T>,
): Serve {
  const record = (result: unknown, request: EndpointRequest<E>): unknown => {
    const present = handler.presentReplay ?? handler.present
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the transaction gives what the handler gives
    return present === undefined ? null : present(result as T, request)
  }
  return async (exchange, params) => {
    try {
      const request = await authorizeRequest(deps, endpoint, exchange, { params, record })
      const result = await handler.handle(request)
      const behind = await waitForOwnWrite(deps, endpoint)
      const body = handler.present?.(result, request)
      if (deps.checkAnswers === true) assertDeclared(endpoint, body)
      const headers = handler.headers?.(result, request) ?? {}
      if (
        endpoint.method === 'GET' &&
        matchesEtag(exchange.header('if-none-match'), headers['ETag'])
      ) {
        refundAllowance(deps.limiter, endpoint, exchange)
        return { status: 304, headers, body: '' }
      }
      const answer = toAnswer({
        status: endpoint.response.status,
        headers: handler.versionOf
          ? { ETag: `"${handler.versionOf(result)}"`, ...behind, ...headers }
          : { ...behind, ...headers },
        body,
      })
      return await compressAnswer(endpoint, exchange, answer)
    } catch (error) {
      if (error instanceof AnsweredInstead) {
        const { status, headers, body } = error
        return toAnswer({
          status,
          headers: { ...headers, ...(await waitForOwnWrite(deps, endpoint)) },
          body,
        })
      }
      if (!(error instanceof IdempotentReplay)) throw error
      const { status, body } = error
      const behind = await waitForOwnWrite(deps, endpoint)
      return toAnswer({ status, headers: { 'Idempotency-Replayed': 'true', ...behind }, body })
    }
  }
}

/** Serves an endpoint that renders its own answer. */
export function serveRaw<E extends EndpointShape>(
  deps: RouterDeps,
  endpoint: E,
  handle: (request: EndpointRequest<E>) => Promise<RawAnswer>,
): Serve {
  return async (exchange, params) =>
    handle(await authorizeRequest(deps, endpoint, exchange, { params, record: keepResult }))
}

/** Serves an endpoint that streams its answer. */
export function serveStream<E extends EndpointShape>(
  deps: RouterDeps,
  endpoint: E,
  handle: StreamHandler<EndpointRequest<E>>,
): Serve {
  return async (exchange, params) => {
    const request = await authorizeRequest(deps, endpoint, exchange, { params, record: keepResult })
    await handle(request, beginStream(deps, exchange))
    return undefined
  }
}

/** Waits until a read on this node finds the write. Returns the header that says that it may not yet. */
async function waitForOwnWrite(
  { readBack }: RouterDeps,
  { method }: EndpointShape,
): Promise<Readonly<Record<string, string>>> {
  if (readBack === undefined || method === 'GET' || (await readBack())) return {}
  return { 'Delivery-Pending': 'true' }
}

const keepResult = (result: unknown): unknown => result

interface JsonAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function toAnswer({ status, headers, body }: JsonAnswer): RawAnswer {
  const empty = status === 204 || body === undefined
  return {
    status,
    headers: { ...(!empty && { 'Content-Type': 'application/json' }), ...headers },
    body: empty ? '' : JSON.stringify(body),
  }
}
