import type { EvaluationContext } from '@signalbox/contract'
import type { ConfigError } from '../config-error.ts'
import type {
  AnyConfig,
  FlagKey,
  KnownValues,
  LimitRanges,
  ReadableKey,
  Registered,
  Value,
} from '../config-types.ts'
import type { SnapshotStorage } from '../snapshot-storage.ts'

export type { SnapshotStorage }

/** Describes the parts of a fetch response that are used. It needs no DOM types. */
export interface ResponseLike {
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: unknown
  json(): Promise<unknown>
}

/** Resolves to the platform's `AbortSignal`, or to any value where its types are not loaded. */
export type AbortSignalLike = typeof globalThis extends {
  readonly AbortSignal: { readonly prototype: infer T }
}
  ? T
  : unknown

/** Describes the options of `fetch` that are used. */
export interface FetchInit {
  readonly headers?: Record<string, string>
  readonly cache?: 'no-cache'
  readonly signal?: AbortSignalLike
}

/** Describes any `fetch`. */
export type FetchLike = (url: string, init: FetchInit) => Promise<ResponseLike>

/** Describes what a server rendered into the page: a snapshot without its methods. */
export type InitialValues<C extends AnyConfig = Registered> = Omit<Snapshot<C>, 'get' | 'flag'>

/** Describes the configuration to read, by ids. */
export interface IdSource {
  /** Example: `sch_01jd2m4x9k0000000000000000`. */
  readonly schemaId: string
  /** Example: `env_01jd2m4x9k0000000000000000`. */
  readonly environmentId: string
  readonly path?: undefined
}

/** Describes the configuration to read, by names. */
export interface NamedSource {
  /** Holds the result of `namedPath`. The snapshot contains the ids. */
  readonly path: string
  readonly schemaId?: undefined
  readonly environmentId?: undefined
}

/** Describes a client: how it connects, and what it reads. */
export type ConfigClientOptions<C extends AnyConfig = Registered> = ClientSettings<C> &
  (IdSource | NamedSource)

/** Describes `ConfigClientOptions` without the source to read. */
export interface ClientSettings<C extends AnyConfig = Registered> {
  /** Holds the address that serves snapshots. Example: `https://config.example.com`. */
  readonly serverUrl: string
  /** Holds a browser key (`sbx_b2m_…`), or on a server a server key (`sbx_m2m_…`), which reads secrets too. */
  readonly token: string
  /**
   * Milliseconds between polls, beside the live stream that announces changes immediately. Default 60,000. `false`:
   * neither stream nor polling, only `refresh()`.
   */
  readonly refresh?: number | false | undefined
  /** Milliseconds after which a request is cancelled. Default 5,000. Reads never wait longer than 2,000. */
  readonly timeoutMs?: number | undefined
  /**
   * Keeps the last snapshot for a start without a server. Browser: default true, in `localStorage`. Node: default
   * false, because it writes secrets to the disk, encrypted with a key derived from the token; `true` uses
   * `$XDG_CACHE_HOME/signalbox` (`~/.cache/signalbox`), a string names another directory.
   */
  readonly persist?: boolean | string | undefined
  /**
   * Supplies values for keys that the server has no value for, or that could not be fetched. `undefined` is one, for an
   * optional key: it is then read as `undefined`, in place of an error.
   */
  readonly defaults?: KnownValues<C> | undefined
  /**
   * Holds the ranges of limits, outside of a browser: `declaredLimits` returns those of a definition. Reads return the nearest number
   * of the range, and `onError` is told once for each key.
   */
  readonly limits?: LimitRanges<C> | undefined
  /** Supplies values before the first request, so that reads return immediately. */
  readonly initialValues?: InitialValues<C> | undefined
  readonly fetch?: FetchLike | undefined
  readonly storage?: SnapshotStorage | undefined
  /**
   * Called with every error, and once with each key that is asked for as a flag and is none; also with what a subscriber
   * or the storage throws, which is no `ConfigError`. Only reads throw. Without
   * it, a client outside of a browser writes one line to the log whenever its state becomes another one.
   */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Called after every change of a value. */
  readonly onChange?: ((snapshot: Snapshot<C>) => void) | undefined
}

/**
 * Holds all values of one version. It never changes; in Node it is frozen. The types of its keys are written out, so that
 * a compile error names the keys and not the configuration.
 */
export interface Snapshot<C extends AnyConfig = Registered> {
  /** Counts the writes. 0 when nothing was fetched, restored or passed in. */
  readonly version: number
  readonly schemaId?: string
  readonly environmentId?: string
  /** ISO 8601. */
  readonly fetchedAt?: string
  /** Holds what the server sent, without `defaults`. */
  readonly public: { readonly [K in keyof C['public'] as K & string]?: Value<C, K & string> }
  /** Holds what the server sent, without `defaults`. */
  readonly featureFlags: { readonly [K in keyof C['featureFlags'] as K & string]?: boolean }
  /**
   * Returns the value, or its default.
   *
   * @throws {ConfigError} `unknown_key`, outside of a browser with similar names; the reason of the failed fetch when
   * there is no snapshot.
   */
  get<K extends (keyof C['public'] | keyof C['secret']) & string>(key: K): Value<C, K>
  /**
   * Returns the flag, or its default, or false; also false for a key whose value is no boolean. With a server key the
   * rules of the flag decide for `context`; a browser key has no rules.
   */
  flag(key: keyof C['featureFlags'] & string, context?: EvaluationContext): boolean
}

/** Describes a snapshot that decides by the rules of targeted keys and flags, as a server key reads them. */
export interface TargetedSnapshot<C extends AnyConfig = Registered> extends Snapshot<C> {
  /**
   * Returns the value of a public key for `context`: what its rules serve, or the value of the environment.
   *
   * @throws {ConfigError} as `get`
   */
  value<K extends keyof C['public'] & string>(key: K, context?: EvaluationContext): Value<C, K>
  /** Returns the variant of a flag for `context`. `undefined` for a flag that declares no variants. */
  variant(key: keyof C['featureFlags'] & string, context?: EvaluationContext): string | undefined
}

/** Describes how current the values of a client are. */
export interface Status {
  readonly version: number
  /** Names where the values came from. `default`: only `defaults`. */
  readonly source: 'network' | 'persisted' | 'initial' | 'default'
  /** Holds the time in ISO 8601. `undefined` when nothing was fetched, now or in an earlier run. */
  readonly fetchedAt: string | undefined
  /** Says that the server has not confirmed these values, or could not be reached at the last request. */
  readonly stale: boolean
  readonly error?: ConfigError | undefined
}

/** Reads values and flags, and follows their changes. */
export interface ConfigClient<C extends AnyConfig = Registered> {
  /**
   * Returns the value of a public or secret key. Waits for the first response, at most 2 s. Rejects as `Snapshot.get`
   * throws.
   */
  get<K extends (keyof C['public'] | keyof C['secret']) & string>(key: K): Promise<Value<C, K>>
  /** Returns the flag. Waits for the first response, at most 2 s. Never rejects: it resolves as `Snapshot.flag`. */
  flag(key: keyof C['featureFlags'] & string, context?: EvaluationContext): Promise<boolean>
  /** Resolves with the first response, the first failure, or after 2 s. Never rejects: `status` has the result. */
  ready(): Promise<void>
  /** Returns the current snapshot: the same object until the server answers again. */
  snapshot(): Snapshot<C>
  /** Calls `fn` after every change, or only after those of `keys`. Returns a function that unsubscribes. */
  subscribe(
    fn: (snapshot: Snapshot<C>) => void,
    keys?: readonly (ReadableKey<C> | FlagKey<C>)[],
  ): () => void
  /** Asks the server for changes. Resolves after its response or a failure. Never rejects. */
  refresh(): Promise<unknown>
  /**
   * Ends the stream and every timer. Reads still return the last values. Until then an open stream keeps a Node
   * process running.
   */
  close(): void
  readonly status: Status
}

/**
 * Reads values and flags outside of a browser, where the rules of a server key's snapshot decide for one context. A page asks the
 * server instead, because no browser key sees rules.
 */
export interface TargetedClient<C extends AnyConfig = Registered> extends ConfigClient<C> {
  /** Returns the value of a public key for `context`. Waits for the first response, at most 2 s. Rejects as `Snapshot.get` throws. */
  value<K extends keyof C['public'] & string>(
    key: K,
    context?: EvaluationContext,
  ): Promise<Value<C, K>>
  /** Returns the variant of a flag for `context`. Waits for the first response, at most 2 s. Never rejects. */
  variant(
    key: keyof C['featureFlags'] & string,
    context?: EvaluationContext,
  ): Promise<string | undefined>
  snapshot(): TargetedSnapshot<C>
  subscribe(
    fn: (snapshot: TargetedSnapshot<C>) => void,
    keys?: readonly (ReadableKey<C> | FlagKey<C>)[],
  ): () => void
}
