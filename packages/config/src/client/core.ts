import type { ConfigEvent, ConfigValue } from '@signalbox/contract'
import type { ConfigError, ConfigErrorCode } from '../config-error.ts'
import type { ClientSettings, Status } from './client-types.ts'
import type { Host, LiveStream } from './host.ts'

type Values = Readonly<Record<string, ConfigValue | null | undefined>>

/** A snapshot as it is fetched, kept or given. Given ones may leave out what they are of. */
interface Document {
  readonly version: number
  readonly public: Values
  readonly featureFlags: Values
  readonly schemaId?: string
  readonly environmentId?: string
  readonly secret?: Values
  fetchedAt?: string
}

/** A `Snapshot` of no configuration in particular. */
interface CoreSnapshot extends SnapshotIds {
  readonly version: number
  readonly public: object
  readonly featureFlags: object
  get(key: string): unknown
  flag(key: string): boolean
}

/** What names a snapshot, beside the names of its schema and environment. */
interface SnapshotIds {
  readonly schemaId?: string | undefined
  readonly environmentId?: string | undefined
}

type Subscriber = [fn: CoreOptions['onChange'], keys?: readonly string[]]

/** `ConfigClientOptions` of no configuration in particular. */
export interface CoreOptions
  extends Omit<ClientSettings, 'defaults' | 'initialValues' | 'onChange'>, SnapshotIds {
  readonly url?: string | undefined
  readonly defaults?: Values | undefined
  readonly initialValues?: Document | undefined
  readonly onChange?: { call(snapshot: CoreSnapshot): void }['call'] | undefined
}

/** A `ConfigClient` of no configuration in particular. */
export interface CoreClient {
  get(key: string): Promise<unknown>
  flag(key: string): Promise<boolean>
  ready(): Promise<void>
  snapshot(): CoreSnapshot
  subscribe(...subscriber: Subscriber): () => void
  refresh(): Promise<unknown>
  close(): void
  readonly status: Status
}

/** What a status that is no success means. */
export const refusalCode = (status: number): ConfigErrorCode =>
  (['unauthorized', undefined, 'forbidden', 'not_found'] as const)[status - 401] ?? 'unreachable'

/**
 * The client on any platform. `query` carries the key where no header can, beginning with `?`. `Failure` makes its errors.
 * One closure, and plain where it could be tidier, because it is counted in bytes.
 */
// oxlint-disable-next-line max-lines-per-function
export function createCore(
  options: CoreOptions,
  query: string,
  host: Host,
  Failure: typeof ConfigError,
): CoreClient {
  let { refresh = 60_000, initialValues } = options
  const page = host.document
  const base = options.serverUrl.replace(/\/$/, '')
  const addressOf = (ids: SnapshotIds) => `${base}/snapshots/${ids.schemaId}/${ids.environmentId}`
  const url = options.url ?? addressOf(options) + query
  let listeners: Subscriber[] = []
  let values: Values
  let current: CoreSnapshot
  let status: Status
  // The version the stream told of last.
  let told = 0
  let flight: Promise<boolean | void> | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stream: LiveStream | null | undefined
  let spreadMs = 1_000

  const storage = () =>
    options.persist === false ? undefined : (options.storage ?? host.localStorage)

  /** Does at once what may fail without harm: calls of the app, and its storage. */
  const guard = (work: () => unknown) => {
    void (async () => work())()
      .catch(options.onError)
      .catch(() => {})
  }

  const become = (next: Status) => {
    status = next
    guard(() => options.onStatus?.(next))
  }

  const fail = (cause?: unknown) => {
    const error =
      cause instanceof Failure ? cause : new Failure('unreachable', 'Unreachable', { cause })
    become({ ...status, stale: true, error })
    guard(() => {
      throw error
    })
  }

  const show = (document: Document, source: Status['source']) => {
    const known: Values = {
      __proto__: null,
      ...options.defaults,
      ...document.public,
      ...document.secret,
      ...document.featureFlags,
    }
    const before = values
    values = known
    Object.values(document).map(Object.freeze)
    current = Object.freeze({
      ...document,
      // Whoever writes a snapshot to a log or a page must not write these.
      secret: undefined,
      get(key: string) {
        if (known[key] !== undefined) return known[key]
        throw (
          (!document.version && status.error) ||
          new Failure(
            'unknown_key',
            [
              `No value for ${key}`,
              ...Object.keys(known).filter(
                // Names of keys are ASCII.
                // oxlint-disable-next-line typescript/no-misused-spread
                (other) => ![...key].filter((letter) => !other.includes(letter))[1],
              ),
            ].join(', near '),
          )
        )
      },
      flag: (key: string) => known[key] === true,
    })
    become({
      version: document.version,
      source,
      fetchedAt: document.fetchedAt,
      stale: source !== 'network',
    })
    for (const [fn, keys = Object.keys({ ...before, ...known })] of listeners) {
      if (keys.some((key) => before[key] !== known[key])) guard(() => fn?.(current))
    }
  }

  /** Asks, and asks once more when the answer is older than what the stream told. */
  const attempt = async (last?: boolean): Promise<boolean> => {
    const response = await (options.fetch ?? host.fetch)(url, {
      cache: 'no-cache',
      signal: AbortSignal.timeout(options.timeoutMs ?? 5_000),
    })
    if (!response.ok) {
      throw new Failure(refusalCode(response.status), `HTTP ${response.status}`)
    }
    // What is used of it is looked at below.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const document = (await response.json()) as Document
    if (!document.public || (options.schemaId && addressOf(document) !== addressOf(options))) {
      throw new Failure('invalid', 'Other snapshot')
    }
    // Initial values were perhaps read with a server key, whose versions count differently.
    if (status.source === 'initial' || document.version >= current.version) {
      document.fetchedAt = new Date(Date.now()).toJSON()
      show(document, 'network')
      guard(() => storage()?.setItem(url, JSON.stringify(document)))
    }
    return told <= current.version || (!last && attempt(true))
  }

  const load = () =>
    (flight ??= attempt()
      .catch(fail)
      .finally(() => {
        flight = null
      }))

  /** Full jitter, so that clients who lost a server together do not return together. */
  const wait = (delayMs = 1_000 + Math.random() * Math.min(29_000, (spreadMs *= 2))) => {
    clearTimeout(timer)
    timer = host.setTimeout(look, delayMs)
  }

  const rest = () => {
    clearTimeout(timer)
    stream?.close()
    stream = null
  }

  const look = async () => {
    const fresh = await load()
    if (!refresh || page?.hidden) return
    if (!fresh) return wait()
    if (stream) spreadMs = 1_000
    else if (host.EventSource) {
      stream = new host.EventSource(`${addressOf(current)}/stream${query}`)
      // A browser repeats lost streams at its own pace and refused ones never. Ours are all repeated.
      stream.addEventListener('error', () => {
        rest()
        wait()
      })
      stream.addEventListener('config', ({ data }) => {
        const event: ConfigEvent = JSON.parse(data)
        told = event.version
        if (told > current.version) void look()
      })
    }
    wait(refresh)
  }

  const turn = () => {
    if (page?.hidden) rest()
    else void look()
  }

  const subscribe = (...entry: Subscriber) => {
    listeners.push(entry)
    return () => {
      listeners = listeners.filter((other) => other !== entry)
    }
  }

  show(
    { version: 0, public: {}, featureFlags: {}, ...initialValues },
    initialValues ? 'initial' : 'default',
  )
  guard(() => {
    const document: Document = JSON.parse(storage()?.getItem(url) ?? '0')
    if (document.version >= current.version) show(document, 'persisted')
  })
  subscribe(options.onChange)
  const ready = new Promise<void>((resolve) => {
    if (initialValues) resolve()
    void look().then(resolve)
    host.setTimeout(() => {
      if (flight) fail()
      resolve()
    }, 2_000)
  })
  page?.addEventListener('visibilitychange', turn)

  return {
    get: (key) => ready.then(() => current.get(key)),
    flag: (key) => ready.then(() => current.flag(key)),
    ready: () => ready,
    snapshot: () => current,
    subscribe,
    refresh: load,
    close() {
      page?.removeEventListener('visibilitychange', turn)
      refresh = 0
      rest()
    },
    get status() {
      return status
    },
  }
}
