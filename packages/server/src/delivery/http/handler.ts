import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '@signalbox/contract'
import { newId } from '../../crypto/ids.ts'
import { toProblem } from '../../http/answers/problem-response.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Allowances } from './allowances.ts'
import {
  answerProblem,
  answerPublicKeys,
  type AnswerAllowance,
  type Exchange,
  type OnStream,
} from './answer.ts'
import type { AnswerCounts } from './answer-counts.ts'
import type { Authenticate } from './authenticate.ts'
import { answerPreflight, originFor } from './cors.ts'
import { readOfrepCredential, refuseOfrep } from '../ofrep/answer-ofrep.ts'
import { isOfrepPath } from '../ofrep/ofrep-path.ts'
import type { PublicKeys } from '../cache/public-keys.ts'
import type { Reader } from '../cache/reader.ts'
import type { Routes } from './routes.ts'
import { answerLater, isEventSource } from '../streams/stream-rejection.ts'
import { isDeliveryPath, parseTarget, type Target } from './target.ts'

/** Answers a request to a path of the delivery. Returns `false`, and leaves the request alone, for other paths. */
export type DeliveryHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** Lists what requests are checked against and answered from. */
export interface DeliveryHandlerDeps {
  readonly authenticate: Authenticate
  readonly allowances: Allowances
  readonly routes: Routes
  readonly publicKeys: Pick<PublicKeys, 'render'>
  /** Collects the answers under way. A stop closes their connections with the end of the answer. */
  readonly unfinished: Set<ServerResponse>
  readonly answerCounts: AnswerCounts
  readonly now: () => Date
  readonly log: Log
}

/** Describes the address at which a handler answers. */
export interface DeliveryAddress {
  /** Allows pages of other origins to read. True only at the delivery's own address, where cookies have no meaning. */
  readonly crossOrigin: boolean
  /** Called with each connection that has become a stream. */
  readonly onStream?: OnStream
}

/** Creates the handler of an address. A read by a known key creates no promise and reads nothing but memory. */
export function createDeliveryHandler(
  deps: DeliveryHandlerDeps,
  address: DeliveryAddress,
): DeliveryHandler {
  const { unfinished, answerCounts, now, log } = deps
  const { onStream } = address
  const allowOrigin = address.crossOrigin ? '*' : undefined
  const serve = createServe(deps, address)
  const finish = async (exchange: Exchange, pending: Promise<void>) => {
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
  return (request, response) => {
    const url = request.url ?? '/'
    if (!isDeliveryPath(url)) return false
    const at = now()
    const atMs = at.getTime()
    const requestId = newId('req', at)
    const route = 'nothing' as const
    const exchange: Exchange = { request, response, requestId, route, allowOrigin, onStream }
    try {
      const pending = serve(exchange, url, atMs)
      if (pending !== undefined) {
        void finish(exchange, pending)
        return true
      }
    } catch (thrown) {
      refuse(exchange, thrown, log)
    }
    answerCounts.count(exchange.route, response.statusCode)
    return true
  }
}

function createServe(
  { authenticate, allowances, routes, publicKeys }: DeliveryHandlerDeps,
  { crossOrigin }: DeliveryAddress,
): (exchange: Exchange, url: string, atMs: number) => void | Promise<void> {
  const answer = (exchange: Exchange, reader: Reader, target: Target) => {
    const allowance = allowances.forAnswer(exchange.request, reader)
    try {
      exchange.allowOrigin = originFor(exchange, reader, crossOrigin)
      const pending = routes({ exchange, reader, allowance }, target)
      return pending?.catch((thrown: unknown) => chargeForRejection(allowance, thrown))
    } catch (thrown) {
      return chargeForRejection(allowance, thrown)
    }
  }
  return (exchange, url, atMs) => {
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
    if (target.route === 'publicKeys') return answerPublicKeys(exchange, publicKeys.render())
    const { apiKey } = target.query
    const metadata = isOfrep(target.route) ? readOfrepCredential(request) : request
    const reader = authenticate({ request: metadata, apiKey, acceptCookies: !crossOrigin, atMs })
    if (!(reader instanceof Promise)) return answer(exchange, reader, target)
    return reader.then((authenticatedReader) => answer(exchange, authenticatedReader, target))
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
