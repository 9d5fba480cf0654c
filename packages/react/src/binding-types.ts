import type {
  AnyConfig,
  BrowserKey,
  FlagKey,
  KnownValues,
  NothingRegistered,
  Registered,
  RegisteredKeys,
  SecretKey,
  Unregistered,
  Value,
} from '@signalbox/config'
import type { Core, CoreOptions, InitialValues, Status } from '@signalbox/config/page'
import type { Context, ReactElement, ReactNode } from 'react'

/** Resolves to a sentence for a key that only servers may have, so that the compile error says why. */
export type BrowserApiKey<K extends string> = K extends `sbx_${infer Kind}_${string}`
  ? Kind extends 'b2m'
    ? K
    : 'this key is for servers: every visitor of the page could read it. Use a browser key, sbx_b2m_…'
  : K

/** Resolves to a sentence for a name that is no flag for browsers. */
export type BrowserFlag<C extends AnyConfig, K extends string> = C extends Unregistered
  ? NothingRegistered
  : K extends FlagKey<C>
    ? K
    : K extends SecretKey<C>
      ? `'${K}' is a secret key: it is never sent to a browser`
      : keyof C['featureFlags'] & string

/** Describes the ids to read. Missing ones are read from `<meta name="signalbox-config">`, which `@signalbox/vite` writes. */
interface IdSource<A extends string> {
  /** Example: `sch_01jd2m4x9k0000000000000000`. */
  readonly schemaId: string
  /** Example: `env_01jd2m4x9k0000000000000000`. */
  readonly environmentId: string
  /** Holds the address that serves snapshots. Default: the page's, else its own origin. */
  readonly baseUrl?: string | undefined
  /** Holds a browser key, `sbx_b2m_…`. Default: the page's. */
  readonly apiKey?: BrowserApiKey<A> | undefined
  readonly orgId?: undefined
  readonly environment?: undefined
  readonly schema?: undefined
}

interface NamedSource<A extends string> {
  /** Holds the address that serves snapshots. Example: `https://config.example.com`. */
  readonly baseUrl: string
  /** Holds a browser key, `sbx_b2m_…`. */
  readonly apiKey: BrowserApiKey<A>
  /** Id or name of the organization. */
  readonly orgId: string
  /** Id or name. Example: `production`. */
  readonly environment: string
  /** Id or name. Needed when the key may read several. */
  readonly schema?: string | undefined
  readonly schemaId?: undefined
  readonly environmentId?: undefined
}

/** Everything from `<meta name="signalbox-config">`. */
interface PageSource {
  readonly baseUrl?: undefined
  readonly apiKey?: undefined
  readonly orgId?: undefined
  readonly environment?: undefined
  readonly schema?: undefined
  readonly schemaId?: undefined
  readonly environmentId?: undefined
}

interface ProviderSettings<C extends AnyConfig> {
  /**
   * Holds a snapshot from the server that rendered the page. Everything below renders with it, on the server and
   * while hydrating; newer values follow. It may be a snapshot of `@signalbox/config/client` or the response of the
   * snapshot's address.
   */
  readonly initialValues?: InitialValues<C> | undefined
  /** Supplies values for keys that the server has no value for, or that could not be fetched. */
  readonly defaults?: KnownValues<C> | undefined
  /** Renders while no value is known, at most 2 seconds. On a server: whenever there are no `initialValues`. */
  readonly fallback?: ReactNode
  /**
   * Milliseconds between polls, beside the live stream that announces changes immediately. Default 60,000. `false`:
   * neither stream nor polling.
   */
  readonly refresh?: number | false | undefined
  /** Keeps the last snapshot in `localStorage`, for a start without a server. Default true. */
  readonly persist?: boolean | undefined
  /** Called with every error. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly children?: ReactNode
}

export type ConfigProviderProps<
  C extends AnyConfig = Registered,
  A extends string = string,
> = ProviderSettings<C> & (IdSource<A> | NamedSource<A> | PageSource)

/** Holds what hooks of a page need beside its snapshot. */
export type PageOptions = Pick<CoreOptions, 'serverUrl' | 'token' | 'onError'>

/**
 * Returns the current result of `read`, or while hydrating that of the server. Renders again when it changes. A test has no
 * options.
 */
export type Use = <T>(
  read: (core: Pick<Core, 'snapshot' | 'status'>, options?: PageOptions) => T,
) => T

/** Describes the provider and the hooks of one configuration. */
export interface Bindings<C extends AnyConfig = RegisteredKeys> {
  /**
   * Provides the configuration to the components below it, and keeps it current. The source is fixed when it mounts:
   * give it another `key` to read another source.
   *
   * @throws {ConfigError} `forbidden` for a key that is not a browser's, and for `initialValues` with secrets in
   * them.
   */
  readonly ConfigProvider: <const A extends string>(
    props: ConfigProviderProps<C, A>,
  ) => ReactElement
  /**
   * Returns the value of a public key. Renders again when that value changes, and for no other.
   *
   * @throws {ConfigError} `unknown_key` for a key without a value and a default, a secret among them; the failure of
   * the request where nothing was fetched.
   */
  readonly usePublicConfig: <K extends string>(key: BrowserKey<C, K>) => Value<C, K>
  /** Returns the flag, or its default, or false. Renders again when that flag changes. Never throws for a name. */
  readonly useFeatureFlag: <K extends string>(key: BrowserFlag<C, K>) => boolean
  /** Returns where the values came from, and whether the server has confirmed them. Renders again whenever that changes. */
  readonly useConfigStatus: () => Status
  /** Holds the client of the provider, which the hooks of `@signalbox/react/context` read. */
  readonly Context: Context<Use>
}
