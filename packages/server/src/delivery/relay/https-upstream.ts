import { tokenPattern } from '@signalbox/contract'
import type { Egress } from '../../egress/create-egress.ts'
import { renderReport, type ReplicaReport } from '../../replica/report.ts'
import { followMarks } from './follow-marks.ts'
import { UpstreamError, type Upstream } from './upstream.ts'
import { findLoop, newRelayId, parseWay, wayHeader } from './way.ts'

/** Describes the delivery that feeds a relay. */
export interface HttpsUpstreamOptions {
  /** Example: `https://config.example.com`. */
  readonly url: string
  /** Holds the relay key. */
  readonly key: string
  readonly publisherKeys: readonly string[]
  readonly egress: Pick<Egress, 'request' | 'follow'>
}

/** Describes an upstream over HTTPS. */
export interface HttpsUpstream extends Upstream {
  /** Returns the ids of the relays on the way to the readers of this one, its own as the last. */
  readonly way: () => readonly string[]
  /** Sends a report. Rejects when it is not taken. */
  readonly sendReport: (report: ReplicaReport) => Promise<void>
}

/** Limits a report, so that a stop does not wait for an upstream that is away. */
const reportMs = 3_000

/** Opens an upstream, which is asked with the relay key. */
export function openHttpsUpstream({
  url,
  key,
  publisherKeys,
  egress,
}: HttpsUpstreamOptions): HttpsUpstream {
  const { host } = new URL(url)
  const ownId = newRelayId()
  let above: readonly string[] = []
  const headers = { authorization: `Bearer ${key}` }
  const read = async (path: string, onHeaders?: (names: Record<string, string>) => void) => {
    const answer = await egress.request(`${url}${path}`, {
      headers: { ...headers, accept: 'application/json' },
    })
    onHeaders?.({ ...answer.headers })
    const { status, body } = answer
    if (status !== 200) throw rejection(host, status, path)
    return body.toString('utf8')
  }
  /** Checks each answer, the rejections as well: relays that feed each other have no mark. */
  const checkWay = (names: Readonly<Record<string, string>>) => {
    above = parseWay(names[wayHeader])
    const loop = findLoop(above, ownId)
    if (loop !== undefined) throw new UpstreamError(loops[loop](host))
  }
  return {
    publicKeys: publisherKeys,
    host,
    keyHandle: tokenPattern.exec(key)?.[2],
    readMark: () => read('/replica/mark', checkWay),
    readObject: ({ sha256 }) => read(`/replica/objects/${sha256}`),
    follow(wake) {
      const stop = new AbortController()
      const { signal } = stop
      void followMarks({ egress, url: `${url}/replica/stream`, headers, wake, signal })
      return () => stop.abort()
    },
    way: () => [...above.filter((id) => id !== ownId), ownId],
    sendReport: async (report) => {
      const { status } = await egress.request(`${url}/replica/report`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: renderReport(report),
        timeoutMs: reportMs,
      })
      if (status !== 204) throw new Error(`The upstream answered ${status} to a report`)
    },
  }
}

const loops = {
  loop: (host: string) =>
    `The upstream ${host} is fed by this relay, directly or through others. Set SIGNALBOX_UPSTREAM_URL to a server with the database, or to a relay that is nearer to it.`,
  too_long: (host: string) =>
    `There are more than 16 relays between the upstream ${host} and the database. Set SIGNALBOX_UPSTREAM_URL to one that is nearer to it.`,
}

function rejection(host: string, status: number, path: string): Error {
  if (status === 401 || status === 403) {
    return new UpstreamError(
      `The upstream ${host} refuses the relay key (${status}). Check SIGNALBOX_UPSTREAM_KEY, and under API keys whether it has expired.`,
    )
  }
  if (status === 404 && path === '/replica/mark') {
    return new UpstreamError(
      `The upstream ${host} feeds no relay with this key. It must be a process with the roles delivery and api or worker, or a relay whose own key reaches as far.`,
    )
  }
  return new Error(`The upstream answered ${status} to ${path}`)
}
