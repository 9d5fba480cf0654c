import type { ConfigEvent, ConfigValue, EvaluationContext } from '@signalbox/contract'
import type { ConfigError } from '../config-error.ts'
import type { ClientSettings, Status } from './client-types.ts'
import type { Host, LiveStream } from './host.ts'

/** Values and flags by key, defaults among them. */
export type Values = Readonly<Record<string, ConfigValue | null | undefined>>

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
export interface CoreSnapshot extends SnapshotIds {
  readonly version: number
  readonly public: object
  readonly featureFlags: object
  readonly secret?: undefined
  get(key: string): unknown
  /** `context` counts where the rules of flags are known. */
  flag(key: string, context?: EvaluationContext): boolean
}

/** What names a snapshot, beside the names of its schema and environment. */
interface SnapshotIds {
  readonly schemaId?: string | undefined
  readonly environmentId?: string | undefined
}

/** `ConfigClientOptions` of no configuration in particular. */
export interface CoreOptions
  extends Omit<ClientSettings, 'defaults' | 'initialValues' | 'onChange'>, SnapshotIds {
  /** Empty: the ids say it. */
  readonly path?: string | undefined
  readonly defaults?: Values | undefined
  readonly initialValues?: Document | undefined
  readonly onChange?: { call(snapshot: CoreSnapshot): void }['call'] | undefined
  /**
   * Hears of every new status, the first one before there is a client. `guard` calls what may fail without harm. It is
   * itself called through `guard`.
   */
  readonly onStatus?: ((values: Values, guard: Guard) => void) | undefined
}

/** Does at once what may fail without harm: calls of the app, and its storage. */
export type Guard = (work: () => unknown) => void

/** What a client is made around: it reads, and tells of it. */
export interface Core {
  /** The same object until the server answers again. */
  snapshot(): CoreSnapshot
  ready(): Promise<void>
  refresh(): Promise<unknown>
  close(): void
  readonly status: Status
}

/**
 * The client on any platform. `query` carries the key where no header can. `Failure` makes its errors.
 * One closure, and plain where it could be tidier, because it is counted in bytes.
 */
// oxlint-disable-next-line max-lines-per-function
export function createCore(
  options: CoreOptions,
  query: string,
  host: Host,
  Failure: typeof ConfigError,
): Core {
  let { refresh = 60_000, initialValues } = options
  const page = host.document
  const base = options.serverUrl.replace(/\/$/, '')
  // Three bytes less than outside.
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const pathOf = (ids: SnapshotIds) => `/snapshots/${ids.schemaId}/${ids.environmentId}`
  const address = base + (options.path || pathOf(options) + '?')
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

  const guard: Guard = (work) => {
    void (async () => work())()
      .catch(options.onError)
      .catch(() => {})
  }

  const become = (next: Status) => {
    status = next
    guard(() => {
      options.onStatus?.(values, guard)
      if (next.error) throw next.error
    })
  }

  const fail = (cause?: unknown) =>
    become({
      ...status,
      stale: true,
      error:
        cause instanceof Failure ? cause : new Failure('unreachable', 'Unreachable', { cause }),
    })

  const show = (document: Document, source: Status['source']) => {
    const known: Values = {
      __proto__: null,
      ...options.defaults,
      ...document.public,
      ...document.secret,
      ...document.featureFlags,
    }
    values = known
    current = {
      ...document,
      // Whoever writes a snapshot to a log or a page must not write these.
      secret: undefined,
      get(key: string) {
        if (known[key] !== undefined) return known[key]
        throw (
          (!document.version && status.error) ||
          new Failure('unknown_key', `No value for ${key}`, { cause: Object.keys(known) })
        )
      },
      flag: (key: string) => known[key] === true,
    }
    become({
      version: document.version,
      source,
      fetchedAt: document.fetchedAt,
      stale: source !== 'network',
    })
  }

  /** Asks. Answers whether what came is as new as what the stream told. */
  const attempt = async () => {
    const response = await (options.fetch ?? host.fetch)(address + query, {
      cache: 'no-cache',
      signal: AbortSignal.timeout(options.timeoutMs ?? 5_000),
    })
    if (!response.ok) {
      throw new Failure(
        (['unauthorized', 'unreachable', 'forbidden', 'not_found'] as const)[
          response.status - 401
        ] ?? 'unreachable',
        `${response.status}`,
      )
    }
    // What is used of it is looked at below.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const document = (await response.json()) as Document
    if (!document.public || (!options.path && pathOf(document) !== pathOf(options))) {
      throw new Failure('invalid', 'Invalid')
    }
    // Initial values were perhaps read with a server key, whose versions count differently, and a name may have come to
    // mean other ids.
    if (
      document.version >= current.version ||
      status.source === 'initial' ||
      pathOf(document) !== pathOf(current)
    ) {
      document.fetchedAt = new Date(Date.now()).toJSON()
      show(document, 'network')
      guard(() => storage()?.setItem(address, JSON.stringify(document)))
    }
    return told <= current.version
  }

  /** Asks once more when the answer is older than what the stream told: a cache on the way has not heard of it. */
  const load = () =>
    (flight ??= attempt()
      .then((fresh) => fresh || attempt())
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
      stream = new host.EventSource(`${base + pathOf(current)}/stream?${query}`)
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

  show(
    { version: 0, public: {}, featureFlags: {}, ...initialValues },
    initialValues ? 'initial' : 'default',
  )
  guard(() => {
    const document: Document = JSON.parse(storage()?.getItem(address) ?? '0')
    if (document.version >= current.version) show(document, 'persisted')
  })
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
    ready: () => ready,
    snapshot: () => current,
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
