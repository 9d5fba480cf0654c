import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Describes an answer of the server. A `null` keeps the caller waiting. */
type Answer = { readonly status?: number; readonly body: unknown } | null

/** A server that answers as the query API of Prometheus does, and remembers what it was asked. */
export interface PrometheusDouble {
  readonly url: string
  /** Lists the path, the header and the form of each request. */
  readonly asked: {
    readonly path: string
    readonly authorization: string | undefined
    readonly query: string
    readonly time: string | null
  }[]
  answer: (query: string, time: string | null) => Answer
  close(): Promise<void>
}

/** Returns a vector, one series for each value, as the API publishes it. */
export function toVector(values: readonly (number | string)[]): Answer {
  const result = values.map((value, at) => ({
    metric: { __name__: 'errors', instance: `shop-${at}` },
    value: [1_764_500_000.123, String(value)],
  }))
  return { body: { status: 'success', data: { resultType: 'vector', result } } }
}

/** Returns a scalar, as the API publishes it. */
export function toScalar(value: number | string): Answer {
  const result = [1_764_500_000, String(value)]
  return { body: { status: 'success', data: { resultType: 'scalar', result } } }
}

/** Returns an error, as the API publishes it. */
export function toError(status: number): Answer {
  const body = { status: 'error', errorType: 'bad_data', error: 'planted-query is no query' }
  return { status, body }
}

export async function startPrometheus(): Promise<PrometheusDouble> {
  const asked: PrometheusDouble['asked'][number][] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const [query, time] = [form.get('query') ?? '', form.get('time')]
      const { authorization } = request.headers
      asked.push({ path: request.url ?? '', authorization, query, time })
      const answer = double.answer(query, time)
      if (answer === null) return
      const { status = 200, body } = answer
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const double: PrometheusDouble = {
    url: `http://127.0.0.1:${port}`,
    asked,
    answer: () => toVector([]),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return double
}
