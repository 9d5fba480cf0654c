import type { ConfigEvent, ConfigValue, EvaluationContext } from '@signalbox/contract'
import type { ConfigError } from '../config-error.ts'
import type { ClientSettings, Status } from './client-types.ts'
import type { Host, LiveStream } from './host.ts'

/** Holds values and flags by key, defaults among them. */
export type Values = Readonly<Record<string, ConfigValue | null | undefined>>

/** Describes a snapshot as it is fetched, stored or passed as an option. One of the options may have no ids. */
interface Document {
  readonly version: number
  readonly public: Values
  readonly featureFlags: Values
  readonly schemaId?: string
  readonly environmentId?: string
  readonly secret?: Values
  fetchedAt?: string
}

/** Describes a `Snapshot` of no configuration in particular. */
export interface CoreSnapshot extends SnapshotIds {
  readonly version: number
  readonly public: object
  readonly featureFlags: object
  readonly secret?: undefined
  get(key: string): unknown
  /** Decides with `context` where the rules of flags are known. */
  flag(key: string, context?: EvaluationContext): boolean
}

interface SnapshotIds {
  readonly schemaId?: string | undefined
  readonly environmentId?: string | undefined
}

/** Describes `ConfigClientOptions` of no configuration in particular. */
export interface CoreOptions
  extends Omit<ClientSettings, 'defaults' | 'initialValues' | 'onChange'>, SnapshotIds {
  /** Empty: the ids are the address. */
  readonly path?: string | undefined
  readonly defaults?: Values | undefined
  readonly initialValues?: Document | undefined
  readonly onChange?: { call(snapshot: CoreSnapshot): void }['call'] | undefined
  /**
   * Called with every new status, the first time before `createCore` returns. `guard` runs what may fail without harm;
   * this is called through it too.
   */
  readonly onStatus?: ((values: Values, guard: Guard) => void) | undefined
}

/** Runs immediately what may fail without harm: functions of the app, and its storage. Errors go to `onError`. */
export type Guard = (work: () => unknown) => void

/** Describes the client without reads by key: it loads snapshots and reports each status. */
export interface Core {
  /** Returns the current snapshot: the same object until the server answers again. */
  snapshot(): CoreSnapshot
  /** Starts to load and to follow with the first call, and resolves as that of `ConfigClient`. */
  ready(): Promise<void>
  refresh(): Promise<unknown>
  close(): void
  readonly status: Status
}

/**
 * Creates the client of any platform, which knows its options alone until `ready` is called. `query` carries the key
 * where no header can. `Failure` is the class of its errors.
 *
 * One closure over the size limit, because each boundary inside of it costs about 20 of its 1,500 bytes (record 0047).
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
  // Set by the stream, which may be ahead of what a cache on the way answers.
  let announcedVersion = 0
  let ready: Promise<void> | undefined
  let pendingLoad: Promise<boolean | void> | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stream: LiveStream | null | undefined
  let backoffMs = 1_000

  const storage = () =>
    options.persist === false ? undefined : (options.storage ?? host.localStorage)

  const guard: Guard = (work) => {
    void (async () => work())()
      .catch(options.onError)
      .catch(() => {})
  }

  const setStatus = (next: Status) => {
    status = next
    guard(() => {
      options.onStatus?.(values, guard)
      if (next.error) throw next.error
    })
  }

  const fail = (cause?: unknown) =>
    setStatus({
      ...status,
      stale: true,
      error:
        cause instanceof Failure ? cause : new Failure('unreachable', 'unreachable', { cause }),
    })

  const show = (document: Document, source: Status['source']) => {
    const merged: Values = (values = {
      __proto__: null,
      ...options.defaults,
      ...document.public,
      ...document.secret,
      ...document.featureFlags,
    })
    current = {
      ...document,
      // Keeps secrets out of a snapshot that is logged or serialized.
      secret: undefined,
      get(key: string) {
        if (key in merged) return merged[key]
        throw (
          (!document.version && status.error) ||
          new Failure('unknown_key', 'No value for ' + key, { cause: Object.keys(merged) })
        )
      },
      flag: (key: string) => merged[key] === true,
    }
    setStatus({
      version: document.version,
      source,
      fetchedAt: document.fetchedAt,
      stale: source !== 'network',
    })
  }

  /** Loads once, and returns whether the answer is as new as the announced version. */
  const loadOnce = async () => {
    const response = await (options.fetch ?? host.fetch)(address + query, {
      cache: 'no-cache',
      signal: host.AbortSignal.timeout(options.timeoutMs ?? 5_000),
    })
    if (!response.ok) {
      throw new Failure(
        // A server answers 400 to a key of no form, as an empty one.
        (['unauthorized', 'unauthorized', undefined, 'forbidden', 'not_found'] as const)[
          response.status - 400
        ] ?? 'unreachable',
      )
    }
    // The lines below check what is used of it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const document = (await response.json()) as Document
    if (!document.public || (!options.path && pathOf(document) !== pathOf(options))) {
      throw new Failure('invalid')
    }
    // Initial values may have been read with a server key, whose versions count differently, and a name may have come
    // to mean other ids.
    if (
      document.version >= current.version ||
      status.source === 'initial' ||
      pathOf(document) !== pathOf(current)
    ) {
      document.fetchedAt = new Date().toJSON()
      show(document, 'network')
      guard(() => storage()?.setItem(address, JSON.stringify(document)))
    }
    return announcedVersion <= current.version
  }

  /** Loads a second time when the answer is older than the announced version: a cache on the way is behind. */
  const load = () =>
    (pendingLoad ??= loadOnce()
      .then((fresh) => fresh || loadOnce())
      .catch(fail)
      .finally(() => {
        pendingLoad = null
      }))

  /** Waits with full jitter, so that clients that lost a server together do not return together. */
  const scheduleLoad = (delayMs = 1_000 + Math.random() * Math.min(29_000, (backoffMs *= 2))) => {
    clearTimeout(timer)
    timer = host.setTimeout(loadAndFollow, delayMs)
  }

  const stopFollowing = () => {
    clearTimeout(timer)
    stream?.close()
    stream = null
  }

  const loadAndFollow = async () => {
    const fresh = await load()
    if (refresh && !page?.hidden) {
      if (!fresh) scheduleLoad()
      else {
        if (stream) backoffMs = 1_000
        else if (host.EventSource) {
          stream = new host.EventSource(base + pathOf(current) + '/stream?' + query)
          // A browser reconnects lost streams at its own pace and refused ones never. These are all opened again here.
          stream.addEventListener('error', () => {
            stopFollowing()
            scheduleLoad()
          })
          stream.addEventListener('config', (event) => {
            const change: ConfigEvent = JSON.parse(event.data)
            announcedVersion = change.version
            if (announcedVersion > current.version) void loadAndFollow()
          })
        }
        scheduleLoad(refresh)
      }
    }
  }

  const onVisibilityChange = () => {
    if (page?.hidden) stopFollowing()
    else void loadAndFollow()
  }

  show(
    { version: 0, public: {}, featureFlags: {}, ...initialValues },
    initialValues ? 'initial' : 'default',
  )

  return {
    ready: () =>
      (ready ??= new Promise((resolve) => {
        guard(() => {
          const document: Document = JSON.parse(storage()?.getItem(address) ?? '0')
          if (document.version >= current.version) show(document, 'persisted')
        })
        if (initialValues) resolve()
        void loadAndFollow().then(resolve)
        host.setTimeout(() => {
          if (pendingLoad) fail()
          resolve()
        }, 2_000)
        page?.addEventListener('visibilitychange', onVisibilityChange)
      })),
    snapshot: () => current,
    refresh: load,
    close() {
      page?.removeEventListener('visibilitychange', onVisibilityChange)
      refresh = 0
      stopFollowing()
    },
    get status() {
      return status
    },
  }
}
