import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Answer, Ask, Client } from '../http.ts'

/** Names the caller of a request, on whom it depends what a response may show. */
export type Audience = 'browser' | 'anonymous' | 'server' | 'person'

/** Names the secrets that a response is meant to show. */
export type Shows =
  | 'nothing'
  /** Secret values, to whoever may read them. */
  | 'values'
  /** A credential, once, to whoever it was made for. */
  | 'credentials'

export interface Recorded {
  readonly audience: Audience
  readonly what: string
  readonly shows: Shows
  /** Status, headers and body, the body also decompressed. */
  readonly bytes: Buffer
}

export interface RecordedAsk extends Ask {
  readonly shows?: Shows
}

/** Sends requests and keeps every byte of the answers. */
export interface Recorder {
  readonly recorded: readonly Recorded[]
  send(client: Client, audience: Audience, ask: RecordedAsk): Promise<Answer>
  /** Keeps bytes that came another way, such as those of a stream. */
  keep(recorded: Recorded): void
}

export function createRecorder(): Recorder {
  const recorded: Recorded[] = []
  return {
    recorded,
    async send(client, audience, { shows = 'nothing', ...ask }) {
      const answer = await client.send(ask)
      const what = `${ask.method} ${ask.path.slice(0, 120)} -> ${answer.status}`
      recorded.push({ audience, what, shows, bytes: allBytes(answer) })
      return answer
    },
    keep: (one) => recorded.push(one),
  }
}

/** Everything of an answer that its receiver sees. */
export function allBytes({ status, rawHeaders, headers, bytes }: Answer): Buffer {
  const plain = decompress(bytes, headers['content-encoding'])
  return Buffer.concat([Buffer.from(`${status}\n${rawHeaders.join('\n')}\n`), bytes, plain])
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'br') return brotliDecompressSync(bytes)
  if (encoding === 'gzip') return gunzipSync(bytes)
  return encoding === 'deflate' ? inflateSync(bytes) : Buffer.alloc(0)
}
