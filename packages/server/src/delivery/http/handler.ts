import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { toProblem } from '../../http/answers/problem-response.ts'
import type { Log } from '../../telemetry/log.ts'
import {
  answerProblem,
  answerPublicKeys,
  type AnswerAllowance,
  type Exchange,
  type OnStream,
} from './answer.ts'
import { authenticate, requireReaderNetwork } from './authenticate.ts'
import { answerPreflight, originFor } from './cors.ts'
import { readOfrepCredential, refuseOfrep } from '../ofrep/answer-ofrep.ts'
import { isOfrepPath } from '../ofrep/ofrep-path.ts'
import type { Reader } from '../cache/reader.ts'
import type { Serving } from '../cache/serving.ts'
import { answerRead } from './routes.ts'
import { answerLater, isEventSource } from '../streams/stream-rejection.ts'
import { isDeliveryPath, parseTarget, type Target } from './target.ts'

/** Answers a request to a path of the delivery. Returns `false`, and leaves the request alone, for other paths. */
export type DeliveryHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** Describes the address at which a handler answers. */
export interface DeliveryAddress {
  /** Allows pages of other origins to read. True only at the delivery's own address, where cookies have no meaning. */
  readonly crossOrigin: boolean
  /** Called with each connection that has become a stream. */
  readonly onStream?: OnStream
}

/** Creates the handler of an address. A read by a known key creates no promise and reads nothing but memory. */
export function createDeliveryHandler(serving: Serving, address: DeliveryAddress): DeliveryHandler {
  const { answerCounts, now, log } = serving
  const allowOrigin = address.crossOrigin ? '*' : undefined
  return (request, response) => {
    const url = request.url ?? '/'
    if (!isDeliveryPath(url)) return false
    const at = now()
    const requestId = newId('req', at)
    const route = 'nothing' as const
    const { onStream } = address
    const exchange: Exchange = { request, response, requestId, now, route, allowOrigin, onStream }
    try {
      const pending = serve(serving, exchange, { url, atMs: at.getTime(), ...address })
      if (pending !== undefined) {
        void finish(serving, exchange, pending)
        return true
      }
    } catch (thrown) {
      refuse(exchange, thrown, log)
    }
    answerCounts.count(exchange.route, response.statusCode)
    return true
  }
}

/** Waits for an answer that is not ready, and counts it. */
async function finish(
  { unfinished, answerCounts, log }: Serving,
  exchange: Exchange,
  pending: Promise<void>,
): Promise<void> {
  unfinished.add(exchange.response)
  try {
    await pending
  } catch (thrown) {
    refuse(exchange, thrown, log)
  } finally {
    unfinished.delete(exchange.response)
    answerCounts.count(exchange.route, exchange.response.statusCode)
  }
}

interface Arrival {
  readonly url: string
  readonly atMs: number
  readonly crossOrigin: boolean
}

/** Serves a request: parses its URL, identifies its caller, answers. @throws {Problem} the rejection to answer with */
function serve(
  serving: Serving,
  exchange: Exchange,
  { url, atMs, crossOrigin }: Arrival,
): void | Promise<void> {
  const { request } = exchange
  const { method } = request
  if (crossOrigin && method === 'OPTIONS') return answerPreflight(exchange)
  const target = parseTarget(url)
  exchange.route = target.route
  if (target.route === 'ofrepFlag') exchange.flag = target.key
  const isPost = postRoutes.has(target.route)
  if (isPost ? method !== 'POST' : method !== 'GET' && method !== 'HEAD') {
    return refuseMethod(exchange, isPost ? 'POST' : 'GET, HEAD')
  }
  if (target.route === 'publicKeys') {
    return answerPublicKeys(exchange, serving.publicKeys.render())
  }
  const { apiKey } = target.query
  const metadata = isOfrep(target.route) ? readOfrepCredential(request) : request
  const credentials = { request: metadata, apiKey, acceptCookies: !crossOrigin, atMs }
  const reader = authenticate(serving.authentication, credentials)
  const answer = (caller: Reader) =>
    answerCaller(serving, exchange, { caller, target, crossOrigin })
  return reader instanceof Promise ? reader.then(answer) : answer(reader)
}

interface AuthenticatedRequest {
  readonly caller: Reader
  readonly target: Target
  readonly crossOrigin: boolean
}

function answerCaller(
  serving: Serving,
  exchange: Exchange,
  { caller, target, crossOrigin }: AuthenticatedRequest,
): void | Promise<void> {
  const allowance = serving.allowances.forAnswer(exchange.request, caller)
  try {
    exchange.allowOrigin = originFor(exchange, caller, crossOrigin)
    requireReaderNetwork(serving.authentication, exchange.request, caller)
    const pending = answerRead(serving, { exchange, reader: caller, allowance }, target)
    return pending?.catch((thrown: unknown) => chargeForRejection(allowance, thrown))
  } catch (thrown) {
    return chargeForRejection(allowance, thrown)
  }
}

/** Charges for a rejection as for an answer. @throws what was thrown, or `rate_limited` in its place */
function chargeForRejection(allowance: AnswerAllowance, thrown: unknown): never {
  if (!(thrown instanceof Problem) || thrown.code !== 'rate_limited') allowance.take()
  throw thrown
}

function refuseMethod(exchange: Exchange, allowed: string): void {
  const problem = new Problem('method_not_allowed', `This path takes ${allowed}.`)
  answerProblem(exchange, problem, { Allow: allowed })
}

const postRoutes: ReadonlySet<Target['route']> = new Set([
  'evaluate',
  'ofrepBulk',
  'ofrepFlag',
  'replicaReport',
])

function isOfrep(route: Target['route']): boolean {
  return route === 'ofrepBulk' || route === 'ofrepFlag'
}

/** Lists the problems that pass by themselves. */
const comesBack: ReadonlySet<string> = new Set(['overloaded', 'draining', 'rate_limited'])

function refuse(exchange: Exchange, thrown: unknown, log: Log): void {
  const { request, response, requestId } = exchange
  if (response.headersSent || response.destroyed) {
    log.warn('A response ended early', { requestId, error: thrown })
    response.destroy()
    return
  }
  const problem = toProblem(thrown, requestId, log)
  const isPostponed = exchange.route === 'stream' && comesBack.has(problem.code)
  // Checks the path rather than the route, because a request may be refused before its URL is parsed.
  if (isOfrepPath(request.url ?? '/')) refuseOfrep(exchange, problem)
  else if (isPostponed && isEventSource(request)) answerLater(exchange)
  else answerProblem(exchange, problem)
}
