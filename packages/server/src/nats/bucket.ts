import type * as js from '@nats-io/jetstream'
import { natsLayout, type NatsLayout } from '../replica/nats-subjects.ts'
import { NatsUpstreamError } from './nats-upstream-error.ts'
import type { NatsLibrary, NatsLink } from './nats-link.ts'

export interface StoredValue {
  readonly data: Uint8Array
  /** Holds the number of the stream at which it was stored. */
  readonly sequence: number
  /** Returns a header; empty where there is none. */
  readonly header: (name: string) => string
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

const readMs = 2_000
/** Waits longer than for a read: the servers may be electing. */
const storeMs = 5_000

/** Names the codes of JetStream that are told apart (nats-server `errors.json`). */
const codes = {
  streamNotFound: 10_059,
  streamNameInUse: 10_058,
  notClustered: 10_074,
  noSuitablePeers: 10_005,
} as const

/** Opens a bucket. Asks for nothing yet. */
export function openBucket(link: NatsLink, name: string, domain?: string): Bucket {
  const layout = natsLayout(name, domain)
  const { stream, everything } = layout
  // The client changes the options that it is given.
  const options = (timeout: number) => ({ timeout, ...(domain !== undefined && { domain }) })
  const manage = <T>(
    work: (manager: js.JetStreamManager, library: NatsLibrary) => Promise<T>,
    timeout = storeMs,
  ) =>
    link.use(async (connection, library) => {
      const checked = { ...options(timeout), checkAPI: false }
      return work(await library.jetstreamManager(connection, checked), library)
    })
  return {
    layout,
    read: (key) =>
      manage(async ({ direct }) => {
        const stored = await direct.getMessage(stream, { last_by_subj: layout.subjectOf(key) })
        if (stored === null) return undefined
        const { data, seq: sequence, header } = stored
        return { data, sequence, header: (named) => header.last(named) }
      }, readMs),
    async put(key, data, { expected, headers = {} } = {}) {
      await link.use((connection, { jetstream, headers: createHeaders }) => {
        const named = createHeaders()
        for (const [header, value] of Object.entries(headers)) named.set(header, value)
        return jetstream(connection, options(storeMs)).publish(layout.subjectOf(key), data, {
          headers: named,
          ...(expected !== undefined && { expect: { lastSubjectSequence: expected } }),
        })
      })
    },
    list: () =>
      manage(async ({ streams }) => {
        const { state } = await streams.info(stream, { subjects_filter: everything })
        const keys = Object.keys(state.subjects ?? {}).map((subject) => layout.keyOf(subject))
        return new Set(keys.filter((key) => key !== undefined))
      }),
    async remove(key) {
      await manage(({ streams }) => streams.purge(stream, { filter: layout.subjectOf(key) }))
    },
    ensure: () =>
      manage(async ({ streams }, library) => {
        const { created } = await streams.info(stream).catch(async (error: unknown) => {
          if (!isRefused(library, error, codes.streamNotFound)) throw error
          await create(library, (replicas) =>
            streams.add({ ...renderConfig(library, stream, everything), num_replicas: replicas }),
          )
          return streams.info(stream)
        })
        return created
      }),
  }
}

/** Returns the settings of a KV bucket. Without limits of bytes and age, at which NATS would refuse to replace a value. */
function renderConfig(
  { DiscardPolicy, RetentionPolicy, StorageType }: NatsLibrary,
  name: string,
  everything: string,
) {
  return {
    name,
    subjects: [everything],
    max_msgs_per_subject: 1,
    allow_direct: true,
    allow_rollup_hdrs: true,
    deny_delete: true,
    discard: DiscardPolicy.New,
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    max_bytes: -1,
    max_msgs: -1,
    max_age: 0,
  }
}

/** Makes the stream: on three servers of a cluster, or on the only one. */
async function create(
  library: NatsLibrary,
  make: (replicas: number) => Promise<unknown>,
): Promise<void> {
  try {
    await make(3).catch(async (error: unknown) => {
      if (!isRefused(library, error, codes.notClustered)) throw error
      await make(1)
    })
  } catch (error) {
    if (isRefused(library, error, codes.noSuitablePeers)) {
      throw new NatsUpstreamError(
        'refused',
        'JetStream runs on fewer than three servers of the cluster. Start the others, restart each that `nats server report jetstream` does not list, or make the stream with fewer replicas.',
        { cause: error },
      )
    }
    // Somebody else has made it.
    if (!isRefused(library, error, codes.streamNameInUse)) throw error
  }
}

function isRefused({ JetStreamApiError }: NatsLibrary, error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code
}
