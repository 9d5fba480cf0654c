import { z } from 'zod'
import type { NatsLayout } from '../replica/nats-subjects.ts'
import { NatsUpstreamError } from './nats-upstream-error.ts'
import type { NatsLink, NatsMessage } from './nats-link.ts'

/** Says that another value was stored since the one that was expected. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}

/** Holds the code with which JetStream refused something. */
class JetStreamError extends NatsUpstreamError {
  override readonly name = 'JetStreamError'
  readonly code: number

  constructor(code: number, message: string) {
    super('refused', message)
    this.code = code
  }
}

/** Names the codes of JetStream that are told apart (nats-server `errors.json`). */
const codes = {
  wrongLastSequence: 10_071,
  streamNotFound: 10_059,
  streamNameInUse: 10_058,
  notClustered: 10_074,
  noSuitablePeers: 10_005,
} as const

/** Manages the stream of a layout. */
export interface StreamApi {
  /** Makes the stream unless it exists. Returns when it was made, which tells one stream from the next. @throws {NatsUpstreamError} */
  ensure(): Promise<string>
  /** Lists the subjects that have a message. @throws {NatsUpstreamError} */
  list(): Promise<string[]>
  /** Removes the messages of a subject. @throws {NatsUpstreamError} */
  purge(subject: string): Promise<void>
}

const made = z.object({ created: z.string() })
const info = z.object({
  total: z.number().optional(),
  state: z.object({ subjects: z.record(z.string(), z.number()).optional() }),
})
const anything = z.object({})
const failure = z.object({ error: z.object({ err_code: z.number(), description: z.string() }) })

/** Waits longer than for a read: the servers may be electing. */
export const storeMs = 5_000

/** Opens the calls of JetStream that manage a stream. Each has a subject, and JSON as its question and its answer. */
export function openStreamApi(link: NatsLink, layout: NatsLayout): StreamApi {
  const { stream, everything } = layout
  const call = async <T>(name: string, body: object, shape: z.ZodType<T>): Promise<T> => {
    const answer = await link.request(layout.callOf(name), {
      data: JSON.stringify(body),
      timeoutMs: storeMs,
    })
    return parseAnswer(answer, shape, link.host)
  }
  const readInfo = () => call('INFO', {}, made)
  return {
    async ensure() {
      const { created } = await readInfo().catch(async (error: unknown) => {
        if (!isJetStreamError(error, codes.streamNotFound)) throw error
        await create((replicas) =>
          call('CREATE', { ...renderConfig(stream, everything), num_replicas: replicas }, anything),
        )
        return readInfo()
      })
      return created
    },
    async list() {
      const all: string[] = []
      for (;;) {
        const body = { subjects_filter: everything, offset: all.length }
        const { total = 0, state } = await call('INFO', body, info)
        const page = Object.keys(state.subjects ?? {})
        all.push(...page)
        if (page.length === 0 || all.length >= total) return all
      }
    },
    async purge(subject) {
      await call('PURGE', { filter: subject }, anything)
    },
  }
}

/** Returns the settings of a KV bucket. Without limits of bytes and age, at which NATS would refuse to replace a value. */
function renderConfig(name: string, everything: string): object {
  return {
    name,
    subjects: [everything],
    max_msgs_per_subject: 1,
    allow_direct: true,
    allow_rollup_hdrs: true,
    deny_delete: true,
    discard: 'new',
    retention: 'limits',
    storage: 'file',
    max_bytes: -1,
    max_msgs: -1,
    max_age: 0,
  }
}

/** Makes the stream: on three servers of a cluster, or on the only one. */
async function create(make: (replicas: number) => Promise<unknown>): Promise<void> {
  try {
    await make(3).catch(async (error: unknown) => {
      if (!isJetStreamError(error, codes.notClustered)) throw error
      await make(1)
    })
  } catch (error) {
    if (isJetStreamError(error, codes.noSuitablePeers)) {
      throw new NatsUpstreamError(
        'refused',
        'JetStream runs on fewer than three servers of the cluster. Start the others, restart each that `nats server report jetstream` does not list, or make the stream with fewer replicas.',
        { cause: error },
      )
    }
    // Somebody else has made it.
    if (!isJetStreamError(error, codes.streamNameInUse)) throw error
  }
}

function isJetStreamError(error: unknown, code: number): boolean {
  return error instanceof JetStreamError && error.code === code
}

const decoder = new TextDecoder()

/** Parses an answer of JetStream. @throws {NatsUpstreamError} @throws {ConflictError} */
export function parseAnswer<T>({ data }: NatsMessage, shape: z.ZodType<T>, host: string): T {
  const answer: unknown = JSON.parse(decoder.decode(data))
  const { error } = failure.safeParse(answer).data ?? {}
  if (error === undefined) return shape.parse(answer)
  if (error.err_code === codes.wrongLastSequence) throw new ConflictError(error.description)
  throw new JetStreamError(
    error.err_code,
    `NATS at ${host} refused a request: ${error.description}.`,
  )
}
