import { ServerResponse } from 'node:http'
import type { EndpointShape } from '@signalbox/contract/rest'
import { Hono, type Context, type Handler } from 'hono'
import { IdempotentReplay } from '../store/scope.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { admitRequest, type GuardDeps } from './admit-request.ts'
import { answerRefusal, completeAnswer } from './answer.ts'
import { assertDeclared } from './assert-declared.ts'
import type { ClientAddress } from './client-address.ts'
import { compressAnswer } from './compress-answer.ts'
import type {
  EmptyEndpoint,
  EmptyHandler,
  EndpointRequest,
  JsonEndpoint,
  JsonHandler,
  RawAnswer,
} from './endpoint-request.ts'
import { createDirectListener, type DirectListener } from './direct-listener.ts'
import {
  bodySource,
  isQuiet,
  newExchange,
  rawTarget,
  type Exchange,
  type KitEnv,
} from './exchange.ts'
import { methodNotAllowed, toHonoPath, compareSpecificity } from './paths.ts'
import { matchesEtag } from './preconditions.ts'
import { notFound } from './problem-response.ts'
import { recordExchange } from './record-exchange.ts'
import { alreadyAnswered, beginStream, type StreamHandler } from './stream-answer.ts'
import { refundAllowance } from './take-allowance.ts'
import { readTarget } from './target.ts'

export interface RouterDeps extends GuardDeps {
  readonly clientAddress: ClientAddress
  readonly log: Log
  readonly metrics: Pick<Metrics, 'recordRequest' | 'recordRateLimited'>
  /** Fail when an answer is not what its endpoint declares. For tests and development. */
  readonly checkAnswers?: boolean
}

/** Serves endpoints as they are declared. */
export interface Router {
  /** Adds an endpoint that answers nothing, with 204. */
  add<E extends EmptyEndpoint, T>(endpoint: E, handler: EmptyHandler<E, T>): Router
  /** Adds an endpoint that answers JSON. */
  add<E extends JsonEndpoint, T>(endpoint: E, handler: JsonHandler<E, T>): Router
  /** Adds an endpoint that makes its own answer: a page, metrics, another protocol. Every check is made all the same. */
  addRaw<E extends EndpointShape>(
    endpoint: E,
    handle: (request: EndpointRequest<E>) => Promise<RawAnswer>,
  ): Router
  /** As `addRaw`, for what comes in floods: `direct` answers it as well, for less. */
  addDirect<E extends EndpointShape>(
    endpoint: E,
    handle: (request: EndpointRequest<E>) => Promise<RawAnswer>,
  ): Router
  /** Answers what no endpoint is for, instead of 404 and 405; `undefined` leaves it at that. */
  addFallback(answer: Fallback): Router
  /** Adds an endpoint that answers piece by piece. Every check is made before the first one. */
  addStream<E extends EndpointShape>(endpoint: E, handle: StreamHandler<EndpointRequest<E>>): Router
  /** The endpoints added so far. */
  readonly endpoints: readonly EndpointShape[]
  /** The application with every endpoint, 405 for their other methods and 404 for everything else. Called once, last. */
  build(): Hono<KitEnv>
  /** Answers plain requests to what was added by `addDirect`, past Hono. Ask it first. */
  direct(): DirectListener
}

export type Fallback = (request: Pick<Exchange, 'method' | 'header'>) => RawAnswer | undefined

interface Route {
  readonly endpoint: EndpointShape
  readonly serve: Serve<Response>
}

type Serve<Answer> = (
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
) => Promise<Answer>

/** Opens a router without endpoints. */
export function createRouter(deps: RouterDeps): Router {
  const routes: Route[] = []
  let fallback: Fallback = answerNothing
  const direct: { readonly endpoint: EndpointShape; readonly serve: Serve<RawAnswer> }[] = []
  const router: Router = {
    add<E extends EndpointShape, T>(endpoint: E, handler: AnyHandler<E, T>) {
      routes.push({
        endpoint,
        serve: (exchange, params) => serveJson(deps, endpoint, handler, { exchange, params }),
      })
      return router
    },
    addRaw(endpoint, handle) {
      const serve = serveRaw(deps, endpoint, handle)
      routes.push({
        endpoint,
        serve: async (exchange, params) =>
          toResponse(deps, exchange, await serve(exchange, params)),
      })
      return router
    },
    addDirect(endpoint, handle) {
      direct.push({ endpoint, serve: serveRaw(deps, endpoint, handle) })
      return router.addRaw(endpoint, handle)
    },
    addFallback(answer) {
      fallback = answer
      return router
    },
    addStream(endpoint, handle) {
      const serve: Serve<Response> = async (exchange, params) => {
        const request = await admitRequest(deps, endpoint, exchange, { params, record: asItIs })
        await handle(request, beginStream(deps, exchange))
        return alreadyAnswered()
      }
      routes.push({ endpoint, serve })
      return router
    },
    get endpoints() {
      return routes.map(({ endpoint }) => endpoint)
    },
    build: () => buildApp(deps, routes, fallback),
    direct: () => createDirectListener(deps, direct),
  }
  return router
}

const answerNothing: Fallback = () => undefined

type AnyHandler<E extends EndpointShape, T> = EmptyHandler<E, T> & Partial<JsonHandler<E, T>>

const asItIs = (result: unknown): unknown => result

function serveRaw<E extends EndpointShape>(
  deps: RouterDeps,
  endpoint: E,
  handle: (request: EndpointRequest<E>) => Promise<RawAnswer>,
): Serve<RawAnswer> {
  return async (exchange, params) =>
    handle(await admitRequest(deps, endpoint, exchange, { params, record: asItIs }))
}

interface Arrived {
  readonly exchange: Exchange
  readonly params: Readonly<Record<string, string>>
}

async function serveJson<E extends EndpointShape, T>(
  deps: RouterDeps,
  endpoint: E,
  handler: AnyHandler<E, T>,
  { exchange, params }: Arrived,
): Promise<Response> {
  const record = (result: unknown, request: EndpointRequest<E>): unknown => {
    const present = handler.presentReplay ?? handler.present
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the transaction gives what the handler gives
    return present === undefined ? null : present(result as T, request)
  }
  try {
    const request = await admitRequest(deps, endpoint, exchange, { params, record })
    const result = await handler.handle(request)
    const body = handler.present?.(result, request)
    if (deps.checkAnswers === true) assertDeclared(endpoint, body)
    const headers = handler.headers?.(result, request) ?? {}
    if (
      endpoint.method === 'GET' &&
      matchesEtag(exchange.header('if-none-match'), headers['ETag'])
    ) {
      refundAllowance(deps.limiter, endpoint, exchange)
      return toResponse(deps, exchange, { status: 304, headers, body: '' })
    }
    const answer = toAnswer({ status: endpoint.response.status, headers, body })
    return toResponse(deps, exchange, await compressAnswer(endpoint, exchange, answer))
  } catch (error) {
    if (!(error instanceof IdempotentReplay)) throw error
    const headers = { 'Idempotency-Replayed': 'true' }
    const { status, body } = error
    return toResponse(deps, exchange, toAnswer({ status, headers, body }))
  }
}

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

function toResponse(deps: RouterDeps, exchange: Exchange, answer: RawAnswer): Response {
  const { status, headers, body } = completeAnswer(deps, exchange, answer)
  // An empty text would be a stream all the same, which costs more than everything else about an answer.
  const content = body.length === 0 ? null : typeof body === 'string' ? body : new Uint8Array(body)
  return new Response(content, { status, headers: { ...headers } })
}

function buildApp(deps: RouterDeps, routes: readonly Route[], fallback: Fallback): Hono<KitEnv> {
  const app = new Hono<KitEnv>()
  app.use(async (context, next) => {
    const startedAt = performance.now()
    const exchange = openExchange(deps, context)
    context.set('exchange', exchange)
    try {
      Object.assign(exchange, { target: readTarget(rawTarget(context)) })
      await next()
    } catch (error) {
      context.res = refuse(deps, exchange, error)
    }
    recordExchange(deps, exchange, context.res.status, performance.now() - startedAt)
  })
  for (const { endpoint, serve } of routes.toSorted((a, b) =>
    compareSpecificity(a.endpoint, b.endpoint),
  )) {
    const serveOrRefuse: Handler<KitEnv> = async (context) => {
      const exchange = context.get('exchange')
      exchange.route = endpoint.path
      exchange.quiet = isQuiet(endpoint)
      try {
        return await serve(exchange, context.req.param())
      } catch (error) {
        return refuse(deps, exchange, error)
      }
    }
    app.on(endpoint.method, toHonoPath(endpoint.path), serveOrRefuse)
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(toHonoPath(path), (context) => {
      const exchange = context.get('exchange')
      exchange.route = path
      return answerFallback(deps, exchange, fallback, () =>
        refuse(deps, exchange, methodNotAllowed(methods), { Allow: methods.join(', ') }),
      )
    })
  }
  app.notFound((context) => {
    const exchange = context.get('exchange')
    return answerFallback(deps, exchange, fallback, () => refuse(deps, exchange, notFound()))
  })
  app.onError((error, context) => refuse(deps, context.get('exchange'), error))
  return app
}

function answerFallback(
  deps: RouterDeps,
  exchange: Exchange,
  fallback: Fallback,
  otherwise: () => Response,
): Response {
  const answer = fallback(exchange)
  return answer === undefined ? otherwise() : toResponse(deps, exchange, answer)
}

function openExchange(deps: RouterDeps, context: Context<KitEnv>): Exchange {
  const { req } = context
  return newExchange(deps, {
    method: req.method,
    remoteAddress: context.env?.incoming?.socket.remoteAddress,
    // A binding for HTTP/2 has none of its methods; this server speaks HTTP/1.1 alone.
    connection: context.env?.outgoing instanceof ServerResponse ? context.env.outgoing : undefined,
    body: bodySource(context),
    header: (name) => req.header(name),
  })
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>()
  for (const { endpoint } of routes) {
    const methods = endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method]
    byPath.set(endpoint.path, [...(byPath.get(endpoint.path) ?? []), ...methods].toSorted())
  }
  return byPath
}

function refuse(
  deps: RouterDeps,
  exchange: Exchange,
  thrown: unknown,
  further: Readonly<Record<string, string>> = {},
): Response {
  const { headers, ...answer } = answerRefusal(deps, exchange, thrown)
  return toResponse(deps, exchange, { ...answer, headers: { ...headers, ...further } })
}
