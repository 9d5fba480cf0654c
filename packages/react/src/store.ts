import type { ConfigValue } from '@signalbox/contract'
import {
  ConfigError,
  createConfigClient,
  snapshotUrl,
  type ConfigClient,
  type InitialValues,
  type SnapshotPlace,
} from '@signalbox/config/client'
import type { AnyConfig, KnownValues } from '@signalbox/config'

/** The props of a provider of no configuration in particular. */
export interface StoreOptions extends Partial<SnapshotPlace> {
  readonly initialValues?: InitialValues<AnyConfig> | undefined
  readonly defaults?: KnownValues<AnyConfig> | undefined
  readonly refresh?: number | false | undefined
  readonly persist?: boolean | undefined
  readonly onError?: ((error: unknown) => void) | undefined
}

/** What the hooks read, of a client or of what a page began with. */
export interface Readable {
  snapshot(): { get(key: string): ConfigValue; flag(key: string): boolean }
  readonly status: ConfigClient['status']
}

/** What a provider hands to its hooks. Making one has no effect, so that a render may be thrown away. */
export interface Store {
  /** What the page began with: the same on the server, while hydrating, and until `open`. */
  readonly initial: Readable
  /** What is known at this moment. */
  current(): Readable
  subscribe(listener: () => void): () => void
  /** Begins to read, and calls `onKnown` once there is something to show. Answers how to stop. Only in a browser. */
  open(onKnown: () => void): () => void
}

declare global {
  /** Requests for snapshots that the page has sent before anything was rendered, by address. */
  var signalboxPreloads: Record<string, Promise<Response>> | undefined
}

/**
 * @throws {ConfigError} `forbidden` for a key of a server, and for `initialValues` with secrets: both would be published.
 */
export function createStore(options: StoreOptions): Store {
  const { initialValues, defaults, apiKey = '' } = options
  if (/^sbx_(?!b2m)/.test(apiKey) || (initialValues && 'secret' in initialValues)) {
    throw new ConfigError('forbidden', 'Secret in browser')
  }
  const listeners = new Set<() => void>()
  const notify = () => listeners.forEach((listener) => listener())
  const values: Record<string, ConfigValue | null | undefined> = {
    __proto__: null,
    ...defaults,
    ...initialValues?.public,
    ...initialValues?.featureFlags,
  }
  const snapshot = {
    get(key: string) {
      const value = values[key]
      if (value != null) return value
      throw new ConfigError('unknown_key', `No value for ${key}`)
    },
    flag: (key: string) => values[key] === true,
  }
  const initial: Readable = {
    snapshot: () => snapshot,
    status: {
      version: initialValues?.version ?? 0,
      source: initialValues ? 'initial' : 'default',
      fetchedAt: initialValues?.fetchedAt,
      stale: true,
    },
  }
  let client: ConfigClient<AnyConfig> | undefined
  return {
    initial,
    current: () => client ?? initial,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open(onKnown) {
      const place = {
        baseUrl: location.origin,
        ...JSON.parse(
          document.querySelector<HTMLMetaElement>('meta[name=signalbox-config]')?.content ?? '{}',
        ),
        ...options,
      }
      const url = snapshotUrl(place)
      const opened = (client = createConfigClient<AnyConfig>({
        ...place,
        serverUrl: place.baseUrl,
        token: place.apiKey,
        url,
        schemaId: undefined,
        environmentId: undefined,
        onStatus: notify,
        fetch(url, init) {
          const preload = globalThis.signalboxPreloads?.[url]
          delete globalThis.signalboxPreloads?.[url]
          return preload ?? fetch(url, init)
        },
      }))
      if (opened.status.source === 'default') void opened.ready().then(onKnown)
      else onKnown()
      notify()
      return () => opened.close()
    },
  }
}
