import { request, type IncomingHttpHeaders } from 'node:http'

/** Describes a post, and the time limit of its response. */
export interface LoopbackPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly timeLimitMs: number
}

/** Describes the result of a post. `refused`: the address is not of this machine. */
export type Posted =
  | {
      readonly outcome: 'answered'
      readonly statusCode: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  | { readonly outcome: 'refused' | 'unreachable' | 'timed_out' }

/** Returns whether an address is one of this machine: the sandbox sends nothing anywhere else. */
function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  const isHere =
    hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  return protocol === 'http:' && isHere
}

/** Posts to this machine and follows no redirect. Never throws. */
export async function postToLoopback(post: LoopbackPost): Promise<Posted> {
  if (!isLoopback(post.url)) return { outcome: 'refused' }
  const limit = AbortSignal.timeout(post.timeLimitMs)
  try {
    return await exchange(post, limit)
  } catch {
    return { outcome: limit.aborted ? 'timed_out' : 'unreachable' }
  }
}

function exchange({ url, headers, body }: LoopbackPost, signal: AbortSignal): Promise<Posted> {
  return new Promise((resolve, reject) => {
    // Opens a new connection each time, so that a restarted receiver is reached.
    const sent = request(url, { method: 'POST', headers, signal, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        resolve({
          outcome: 'answered',
          statusCode: response.statusCode ?? 0,
          headers: flatten(response.headers),
          body: Buffer.concat(parts).toString('utf8'),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
}
