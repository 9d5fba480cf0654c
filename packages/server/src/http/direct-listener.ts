import type { IncomingMessage, ServerResponse } from 'node:http'
import { limits } from '@signalbox/contract'
import type { EndpointShape } from '@signalbox/contract/rest'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { answerRefusal, completeAnswer } from './answer.ts'
import type { ClientAddress } from './client-address.ts'
import type { RawAnswer } from './endpoint-request.ts'
import { isQuiet, newExchange, type Exchange } from './exchange.ts'
import { recordExchange } from './record-exchange.ts'

/** Answers a request that is plain and for one of its endpoints. `false`: it is not, and was left alone. */
export type DirectListener = (request: IncomingMessage, response: ServerResponse) => boolean

export interface DirectDeps {
  readonly clientAddress: ClientAddress
  readonly publicUrl: () => string
  readonly log: Log
  readonly metrics: Pick<Metrics, 'recordRequest' | 'recordRateLimited'>
  readonly now: () => Date
}

/** An endpoint with everything that is asked of a request to it. */
export interface DirectRoute {
  readonly endpoint: EndpointShape
  readonly serve: (
    exchange: Exchange,
    params: Readonly<Record<string, string>>,
  ) => Promise<RawAnswer>
}

/**
 * Makes the listener of endpoints that are answered past Hono and its Web-standard requests and answers. It
 * takes what needs no reading of the target, no limit on the body and no draining of what was refused; everything else is
 * for the router, which has the same endpoints and gives the same answers.
 */
export function createDirectListener(
  deps: DirectDeps,
  routes: readonly DirectRoute[],
): DirectListener {
  const known = routes.map((route) => ({ ...route, readParams: paramsReader(route.endpoint.path) }))
  return (request, response) => {
    if (!hasPlainBody(request)) return false
    for (const { endpoint, serve, readParams } of known) {
      const path = request.url ?? ''
      const params = request.method === endpoint.method ? readParams(path) : undefined
      if (params === undefined) continue
      const exchange = openExchange(deps, request, path)
      exchange.route = endpoint.path
      exchange.quiet = isQuiet(endpoint)
      void answer(deps, { exchange, response, serve: () => serve(exchange, params) })
      return true
    }
    return false
  }
}

const plainLength = /^\d{1,7}$/

/** Whether a body says that it is of the usual size, so that it can be read to its end whatever is answered. */
function hasPlainBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return length !== undefined && plainLength.test(length) && Number(length) <= limits.bodyBytes
}

/** Reads the parameters of a path that needs no decoding. Example: `/webhooks/{kind}`. */
function paramsReader(template: string): (path: string) => Record<string, string> | undefined {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w-]+)')}$`)
  return (path) => {
    const groups = pattern.exec(path)?.groups
    return groups && { ...groups }
  }
}

function openExchange(deps: DirectDeps, request: IncomingMessage, path: string): Exchange {
  const { method = '', headers } = request
  return newExchange(deps, {
    method,
    remoteAddress: request.socket.remoteAddress,
    body: request,
    target: { path, query: {} },
    header(name) {
      const value = headers[name]
      return typeof value === 'object' ? value.join(', ') : value
    },
  })
}

interface Answering {
  readonly exchange: Exchange
  readonly response: ServerResponse
  readonly serve: () => Promise<RawAnswer>
}

async function answer(deps: DirectDeps, { exchange, response, serve }: Answering): Promise<void> {
  const startedAt = performance.now()
  const answered = await serve().catch((error: unknown) => answerRefusal(deps, exchange, error))
  const { status, headers, body } = completeAnswer(deps, exchange, answered)
  response.writeHead(status, headers)
  response.end(body)
  recordExchange(deps, exchange, status, performance.now() - startedAt)
}
