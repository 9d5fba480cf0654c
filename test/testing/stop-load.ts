import { Agent, request } from 'node:http'
import type { ServiceProcess } from '../../e2e/start-service.ts'
import { bearer } from './http.ts'

/** Says how a request of the load ended. */
export type Outcome =
  /** Answered completely, and not with a server error. */
  | 'answered'
  /** Answered 503 with a hint when to come back. */
  | 'sentAway'
  /** There was no connection. */
  | 'refused'
  /** Its fresh connection was reset by the system before the process took it: also a rejection, seen a moment later. */
  | 'untaken'
  /** It was sent on a connection that the process had taken, and was not answered or with a server error. */
  | 'failed'

/** Requests without a pause, until the process is gone. */
export interface Load {
  readonly counts: Record<Outcome, number>
  /** Describes the failures for people. */
  readonly failures: readonly string[]
  /** Complete answers of the API, which the process has a line each of in its log. */
  readonly apiAnswers: () => number
  /** Lists the writes of requests without a response. None of them may be stored. */
  readonly unansweredWrites: readonly string[]
  /** Ends when each client has met a closed door. */
  readonly ended: Promise<void>
}

export interface LoadTarget {
  readonly service: ServiceProcess
  readonly orgId: string
  readonly schemaId: string
  readonly environmentId: string
  readonly serverKey: string
  readonly browserKey: string
}

interface Shot {
  readonly url: URL
  readonly isApi: boolean
  readonly path: string
  readonly token: string
  /** Makes it a write, of a value of its own. */
  readonly write?: (marker: string) => object
}

let written = 0

/** Starts clients of both addresses, half of which keep their connection. */
export function startLoad(place: LoadTarget): Load {
  const counts = { answered: 0, sentAway: 0, refused: 0, untaken: 0, failed: 0 }
  const failures: string[] = []
  const unansweredWrites: string[] = []
  let apiAnswers = 0
  const run = async (shots: readonly Shot[], keeps: boolean): Promise<void> => {
    const agent = keeps ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    for (let i = 0; ; i++) {
      const shot = shots[i % shots.length]
      if (shot === undefined) break
      const marker = `write-${process.pid}-${++written}`
      const { outcome, detail } = await shoot(shot, agent, marker)
      counts[outcome]++
      const isAnswered = outcome === 'answered' || outcome === 'sentAway'
      if (isAnswered && shot.isApi) apiAnswers++
      if (!isAnswered && shot.write !== undefined) unansweredWrites.push(marker)
      if (outcome === 'failed') failures.push(`${shot.path}: ${detail}`)
      if (outcome === 'refused') break
    }
    if (agent !== false) agent.destroy()
  }
  const api = apiShots(place)
  const delivery = deliveryShots(place)
  const clients = [api, api, api, api, delivery, delivery, delivery, delivery].map((shots, i) =>
    run(shots, i % 2 === 0),
  )
  return {
    counts,
    failures,
    unansweredWrites,
    apiAnswers: () => apiAnswers,
    ended: Promise.all(clients).then(() => undefined),
  }
}

function apiShots({ service, orgId, schemaId, environmentId, serverKey }: LoadTarget): Shot[] {
  const url = new URL(service.apiUrl)
  const path = `/organizations/${orgId}/config-values`
  const common = { url, isApi: true, token: serverKey }
  return [
    { ...common, path, write: (open) => ({ schemaId, environmentId, values: { open } }) },
    { ...common, path: `${path}?schemaId=${schemaId}&environmentId=${environmentId}` },
  ]
}

function deliveryShots(place: LoadTarget): Shot[] {
  const { service, schemaId, environmentId, browserKey, serverKey } = place
  const url = new URL(service.configUrl)
  const path = `/snapshots/${schemaId}/${environmentId}`
  return [browserKey, serverKey].map((token) => ({ url, isApi: false, path, token }))
}

interface Shoot {
  readonly outcome: Outcome
  readonly detail: string
}

/** Sends one request and watches how far it gets. */
function shoot(
  { url, path, token, write }: Shot,
  agent: Agent | false,
  marker: string,
): Promise<Shoot> {
  return new Promise((resolve) => {
    const body = write && JSON.stringify(write(marker))
    const sent = request({
      host: url.hostname,
      port: url.port,
      method: write ? 'PUT' : 'GET',
      path,
      agent,
      headers: {
        ...bearer(token),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
      },
    })
    let connected = false
    sent.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => (connected = true))
      else connected = true
    })
    sent.once('error', (error) => {
      const kept = sent.reusedSocket ? ' on a kept connection' : ''
      const isUntaken = !sent.reusedSocket && sent.socket?.bytesRead === 0
      const outcome = connected ? (isUntaken ? 'untaken' : 'failed') : 'refused'
      resolve({ outcome, detail: error.message + kept })
    })
    sent.once('response', (answer) => {
      const status = answer.statusCode ?? 0
      answer.once('error', ({ message }) =>
        resolve({ outcome: 'failed', detail: `${status} broke off: ${message}` }),
      )
      answer.once('end', () => resolve(judge(status, answer.headers['retry-after'])))
      answer.resume()
    })
    sent.end(body)
  })
}

function judge(status: number, retryAfter: string | undefined): Shoot {
  const detail = `answered ${status}`
  if (status < 500) return { outcome: 'answered', detail }
  return { outcome: status === 503 && retryAfter !== undefined ? 'sentAway' : 'failed', detail }
}
