import type { AnyConfig, BrowserKey, RegisteredKeys, Value } from '@signalbox/config'
import type {
  Bindings as ReactBindings,
  BrowserFlag,
  ConfigProviderProps,
  Status,
} from '@signalbox/react'
import type { ReactElement } from 'react'

/** Describes a value and its state. It is the same object until one of the three members changes. */
export interface LiveValue<V> {
  readonly value: V
  /** Holds the version of the value's snapshot. 0 when nothing was fetched or passed in. */
  readonly version: number
  /** Says that the server has not confirmed the value, or could not be reached at the last request. */
  readonly stale: boolean
}

/** Describes the provider and the hooks of one configuration. */
export interface Bindings<C extends AnyConfig = RegisteredKeys> {
  /**
   * Provides the configuration to the client components below it, and keeps it current. In a layout, pass the result
   * of `getConfig` as `initialValues`, so that the server and the browser render the same.
   *
   * @throws {ConfigError} `forbidden` for a key that is not a browser's, and for `initialValues` with secrets in
   * them.
   */
  readonly ConfigProvider: <const A extends string>(
    props: ConfigProviderProps<C, A>,
  ) => ReactElement
  /**
   * Returns the value of a public key, with its version.
   *
   * @throws {ConfigError} `unknown_key` for a key without a value and a default, a secret among them; the failure of
   * the request where nothing was fetched.
   */
  readonly usePublicConfig: <K extends string>(key: BrowserKey<C, K>) => LiveValue<Value<C, K>>
  /** Returns the flag, or its default, or false, with its version. Never throws for a name. */
  readonly useFeatureFlag: <K extends string>(key: BrowserFlag<C, K>) => LiveValue<boolean>
  /** Returns where the values came from, and whether the server has confirmed them. */
  readonly useConfigStatus: () => Status
  /** Holds the client of the provider, which the hooks of `@signalbox/next/context` read. */
  readonly Context: ReactBindings['Context']
}
