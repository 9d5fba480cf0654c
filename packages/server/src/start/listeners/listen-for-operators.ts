import { createHttpServer } from '../../http/http-server.ts'
import type { NodeListener } from '../../http/node-listener.ts'
import type { ProcessKit } from '../../kit.ts'

/** Describes the open address for operators. */
export interface OperatorListener {
  readonly url: string
  /** Tells `/readyz` that the start is complete. */
  ready(): void
  close(): Promise<void>
}

/** Limits how long an answer may take to be read once the process must stop. */
const drainMs = 500

/**
 * Opens an address with `/healthz`, `/readyz` and `/metrics` alone, where the settings name a port. It is there from the
 * beginning of the start to the end of the stop, whatever the roles are: a process without the API has no other address
 * for its metrics, and one that only works has no other address at all. Returns `undefined` without a port.
 */
export async function listenForOperators({
  settings,
  metrics,
  now,
  stop,
}: Pick<ProcessKit, 'settings' | 'metrics' | 'now' | 'stop'>): Promise<
  OperatorListener | undefined
> {
  const { host, metricsPort: port } = settings
  if (port === undefined) return undefined
  let hasStarted = false
  const listener = createListener({ metrics, isReady: () => hasStarted && !stop.aborted })
  const server = createHttpServer({ listener, metrics, now })
  return {
    url: await server.listen({ host, port }),
    ready() {
      hasStarted = true
    },
    close: () => server.close(drainMs),
  }
}

interface ListenerDeps {
  readonly metrics: ProcessKit['metrics']
  readonly isReady: () => boolean
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

function createListener({ metrics, isReady }: ListenerDeps): NodeListener {
  const answerTo = async (method = '', path = ''): Promise<Answer> => {
    if (method !== 'GET' && method !== 'HEAD') return json(405, { error: 'Only GET and HEAD.' })
    if (path === '/healthz') return json(200, { ok: true })
    if (path === '/readyz') return json(isReady() ? 200 : 503, { ready: isReady() })
    if (path !== '/metrics') return json(404, { error: 'Only /healthz, /readyz and /metrics.' })
    return { status: 200, type: metrics.contentType, body: await metrics.render() }
  }
  return ({ method, url }, response) => {
    const answered = answerTo(method, url?.split('?', 1)[0]).catch(() =>
      json(500, { error: 'The metrics could not be rendered.' }),
    )
    void answered.then(({ status, type, body }) => {
      response.writeHead(status, {
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      return response.end(method === 'HEAD' ? undefined : body)
    })
  }
}
