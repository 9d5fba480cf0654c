import type { EndpointShape } from '@signalbox/contract/rest'
import type { z } from 'zod'
import { answerRejection, completeAnswer } from './answers/answer.ts'
import { methodNotAllowed, notFound } from './answers/problem-response.ts'
import { recordExchange } from './answers/record-exchange.ts'
import type { StreamHandler } from './answers/stream-answer.ts'
import { toCallEndpoint, type CallByShape, type CallEndpoint } from './call-endpoint.ts'
import { isQuiet, newExchange, type Arrival, type Exchange } from './exchange.ts'
import { createRouteFinder, type RouteFinder } from './find-route.ts'
import type {
  EmptyEndpoint,
  EmptyHandler,
  EndpointRequest,
  JsonEndpoint,
  JsonHandler,
  RawAnswer,
} from './input/endpoint-request.ts'
import { readTarget, requireHost } from './input/target.ts'
import { toJsonHandler, type PageEndpoint, type PageHandler } from './page.ts'
import {
  serveJson,
  serveRaw,
  serveStream,
  type AnyHandler,
  type RouterDeps,
  type Serve,
} from './serve-endpoint.ts'

/** Serves endpoints as they are declared. */
export interface Router {
  /** Adds an endpoint that answers 204. */
  add<E extends EmptyEndpoint, T>(endpoint: E, handler: EmptyHandler<E, T>): Router
  /** Adds an endpoint that answers JSON. */
  add<E extends JsonEndpoint, T>(endpoint: E, handler: JsonHandler<E, T>): Router
  /** Adds an endpoint that answers a list page by page. */
  addPage<E extends PageEndpoint, P extends z.ZodType, Row>(
    endpoint: E,
    handler: PageHandler<E, P, Row>,
  ): Router
  /** Adds an endpoint that renders its own answer: a page, metrics, another protocol. Every check applies. */
  addRaw<E extends EndpointShape>(
    endpoint: E,
    handle: (request: EndpointRequest<E>) => Promise<RawAnswer>,
  ): Router
  /**
   * Sets the answer for requests without an endpoint, instead of 404 and 405; where it returns `undefined`, those
   * apply.
   */
  addFallback(answer: Fallback): Router
  /** Adds an endpoint that streams its answer. Every check is made before it begins. */
  addStream<E extends EndpointShape>(endpoint: E, handle: StreamHandler<EndpointRequest<E>>): Router
  /** Calls an endpoint for a tool of an assistant, in the process and with the checks of its declaration. */
  readonly call: CallByShape
  /** Lists the endpoints added so far. */
  readonly endpoints: readonly EndpointShape[]
  /** Returns the application with every endpoint, 405 for their other methods and 404 for everything else. Called last. */
  build(): App
}

/** Answers requests without an endpoint. */
export type Fallback = (
  request: Pick<Exchange, 'method' | 'header' | 'target'>,
) => RawAnswer | undefined

/** Answers requests, whichever server receives them. */
export interface App {
  /** Returns the answer to a request, an error as a problem; `undefined` when it is streamed. */
  answer(arrival: Arrival): Promise<RawAnswer | undefined>
}

interface Route {
  readonly endpoint: EndpointShape
  readonly serve: Serve
  /** `undefined`: the endpoint does not answer JSON. */
  readonly call?: CallEndpoint
}

/** Creates a router without endpoints. */
export function createRouter(deps: RouterDeps): Router {
  const routes: Route[] = []
  let fallback: Fallback = answerNothing
  const router: Router = {
    add<E extends EndpointShape, T>(endpoint: E, handler: AnyHandler<E, T>) {
      routes.push(toRoute(deps, endpoint, handler))
      return router
    },
    addPage(endpoint, handler) {
      routes.push(toRoute(deps, endpoint, toJsonHandler(handler)))
      return router
    },
    addRaw(endpoint, handle) {
      routes.push({ endpoint, serve: serveRaw(deps, endpoint, handle) })
      return router
    },
    addFallback(answer) {
      fallback = answer
      return router
    },
    addStream(endpoint, handle) {
      routes.push({ endpoint, serve: serveStream(deps, endpoint, handle) })
      return router
    },
    async call(endpoint, caller, call) {
      const route = routes.find((each) => each.endpoint.operationId === endpoint.operationId)
      if (route?.call === undefined) throw new Error(`Nobody answers ${endpoint.operationId}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-explicit-any -- the handler's answer is declared
      return (await route.call(caller, call)) as any
    },
    get endpoints() {
      return routes.map(({ endpoint }) => endpoint)
    },
    build: () => createApp(deps, createRouteFinder(routes), fallback),
  }
  return router
}

function toRoute<E extends EndpointShape, T>(
  deps: RouterDeps,
  endpoint: E,
  handler: AnyHandler<E, T>,
): Route {
  return {
    endpoint,
    serve: serveJson(deps, endpoint, handler),
    call: toCallEndpoint(deps, endpoint, handler),
  }
}

const answerNothing: Fallback = () => undefined

function createApp(deps: RouterDeps, finder: RouteFinder<Route>, fallback: Fallback): App {
  const answerRoute = async (exchange: Exchange, sentTarget: string) => {
    requireHost(exchange.header('host'))
    exchange.target = readTarget(sentTarget)
    const { method, target } = exchange
    const match = finder.find(method, target.path)
    if (match === undefined) return fallback(exchange) ?? answerMissing(exchange)
    exchange.route = match.route.endpoint.path
    exchange.quiet = isQuiet(match.route.endpoint)
    exchange.isForAssistants = match.route.endpoint.access.kind === 'assistant'
    return match.route.serve(exchange, match.params)
  }
  const answerMissing = (exchange: Exchange): RawAnswer => {
    const { path } = exchange.target
    const methods = finder.listMethods(path)
    const [other] = methods
    if (other === undefined) throw notFound()
    exchange.route = finder.find(other, path)?.route.endpoint.path ?? exchange.route
    const { headers, ...answer } = answerRejection(deps, exchange, methodNotAllowed(methods))
    return { ...answer, headers: { ...headers, Allow: methods.join(', ') } }
  }
  return {
    async answer(arrival) {
      const startedAt = performance.now()
      const exchange = newExchange(deps, arrival)
      const answer = await answerRoute(exchange, arrival.target).catch((error: unknown) =>
        answerRejection(deps, exchange, error),
      )
      const completed = answer && completeAnswer(deps, exchange, answer)
      const status = completed?.status ?? 200
      recordExchange(deps, exchange, status, performance.now() - startedAt)
      return completed
    },
  }
}
