import { z } from 'zod'
import { natsLayout, type NatsLayout } from '../replica/nats-subjects.ts'
import { NatsUpstreamError } from './nats-upstream-error.ts'
import type { NatsLink } from './nats-link.ts'
import { openStreamApi, parseAnswer, storeMs } from './stream-api.ts'

export interface StoredValue {
  readonly data: Uint8Array
  /** Holds the number of the stream at which it was stored. */
  readonly sequence: number
  readonly headers: ReadonlyMap<string, string>
}

export interface PutOptions {
  readonly expected?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Reads and writes the values of a bucket. */
export interface Bucket {
  readonly layout: NatsLayout
  /** Reads from whichever server holds the stream: the value may be older than the newest. @throws {NatsUpstreamError} */
  read(key: string): Promise<StoredValue | undefined>
  /**
   * Stores a value. With `expected` only while the value there has this number, 0 for none.
   *
   * @throws {ConflictError} when it has another.
   * @throws {NatsUpstreamError} when that is unknown: the value may be stored.
   */
  put(key: string, data: string | Uint8Array, more?: PutOptions): Promise<void>
  /** Lists the keys. @throws {NatsUpstreamError} */
  list(): Promise<ReadonlySet<string>>
  /** Removes a key. @throws {NatsUpstreamError} */
  remove(key: string): Promise<void>
  /** Makes the stream unless it exists. Returns when it was made, which tells one stream from the next. @throws {NatsUpstreamError} */
  ensure(): Promise<string>
}

const stored = z.object({ seq: z.number() })

/** Opens a bucket. Asks for nothing yet. */
export function openBucket(link: NatsLink, name: string, domain?: string): Bucket {
  const layout = natsLayout(name, domain)
  const api = openStreamApi(link, layout)
  return {
    layout,
    async read(key) {
      const answer = await link.request(layout.directGetOf(key))
      if (answer.status === 404) return undefined
      if (answer.status !== 0) {
        throw new NatsUpstreamError('refused', `NATS at ${link.host} answered ${answer.status}.`)
      }
      const { data, headers } = answer
      return { data, headers, sequence: Number(headers.get('Nats-Sequence')) }
    },
    async put(key, data, { expected, headers } = {}) {
      const answer = await link.request(layout.subjectOf(key), {
        data,
        timeoutMs: storeMs,
        headers: {
          ...headers,
          ...(expected !== undefined && {
            'Nats-Expected-Last-Subject-Sequence': String(expected),
          }),
        },
      })
      parseAnswer(answer, stored, link.host)
    },
    async list() {
      const subjects = await api.list()
      return new Set(
        subjects.map((subject) => layout.keyOf(subject)).filter((key) => key !== undefined),
      )
    },
    remove: (key) => api.purge(layout.subjectOf(key)),
    ensure: () => api.ensure(),
  }
}
