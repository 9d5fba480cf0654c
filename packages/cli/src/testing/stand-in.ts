import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { problems, type ProblemCode } from '@signalbox/contract'
import { runHandlers } from './stand-in-runs.ts'
import { type StandInState, StandInError, handlers, newState } from './stand-in-state.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

interface Failure {
  /** 0: takes the request and never answers. */
  readonly status: number
  readonly code?: ProblemCode
  readonly headers?: Record<string, string>
  /** A page of something that stands between, in the place of a problem. */
  readonly page?: string
  /** Only for requests with this method. */
  readonly method?: string
}

/** An in-memory server that speaks the contract as far as the command line needs, for tests of the protocol. */
export interface StandIn {
  readonly url: string
  readonly state: StandInState
  readonly seen: RecordedRequest[]
  /** Answers the next requests with these instead. */
  readonly failures: Failure[]
  close(): Promise<void>
}

export async function startStandIn(): Promise<StandIn> {
  const state = newState()
  const seen: RecordedRequest[] = []
  const failures: Failure[] = []
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const method = request.method ?? 'GET'
    const body = await bodyOf(request)
    seen.push({ method, path: `${url.pathname}${url.search}`, headers: request.headers, body })
    const at = failures.findIndex((each) => each.method === undefined || each.method === method)
    const [failure] = at === -1 ? [] : failures.splice(at, 1)
    if (failure?.status === 0) return undefined
    if (failure?.page !== undefined) {
      response.writeHead(failure.status, { 'content-type': 'text/html' }).end(failure.page)
      return undefined
    }
    if (failure !== undefined) {
      const code = failure.code ?? 'internal'
      return send(response, failure.status, problemBody(code, 'Made to fail.'), failure.headers)
    }
    try {
      const result = route(state, { method, url, body, headers: request.headers })
      return send(response, result.status, result.body)
    } catch (error) {
      if (!(error instanceof StandInError)) throw error
      const { status } = problems[error.code]
      return send(response, status, {
        ...problemBody(error.code, error.message),
        ...error.extensions,
      })
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    state,
    seen,
    failures,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function bodyOf(request: IncomingMessage): Promise<unknown> | undefined {
  if (!(Number(request.headers['content-length'] ?? 0) > 0)) return undefined
  return request.headers['content-type'] === 'application/json' ? json(request) : text(request)
}

interface Routed {
  readonly method: string
  readonly url: URL
  readonly body: unknown
  readonly headers: IncomingMessage['headers']
}

function route(state: StandInState, { method, url, body, headers }: Routed) {
  const open = url.pathname === '/healthz' || url.pathname === '/readyz'
  if (!open) authenticate(state, headers.authorization)
  for (const [pattern, handle] of [...handlers, ...runHandlers]) {
    const [wantedMethod = '', path = ''] = pattern.split(' ')
    const match = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(url.pathname)
    if (method !== wantedMethod || match === null) continue
    const params = match.slice(1).map(decodeURIComponent)
    const ifMatch = headers['if-match']
    return handle({
      state,
      params,
      query: url.searchParams,
      body: typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {},
      ifMatch: ifMatch === undefined ? undefined : Number(ifMatch.replaceAll('"', '')),
    })
  }
  throw new StandInError('not_found', 'There is nothing here.')
}

function authenticate(state: StandInState, header: string | undefined): void {
  if (header === undefined) throw new StandInError('missing_credentials', 'Send a token.')
  if (!state.tokens.has(header.replace('Bearer ', ''))) {
    throw new StandInError('invalid_credentials', 'The token is not known.')
  }
}

function problemBody(code: ProblemCode, detail: string) {
  const { status, title } = problems[code]
  return { type: 'about:blank', title, status, code, detail, instance: 'req_test' }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const type = status >= 400 ? 'application/problem+json' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
