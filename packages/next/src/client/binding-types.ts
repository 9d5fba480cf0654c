import type { AnyConfig, BrowserKey, Registered, Value } from '@signalbox/config'
import type { BrowserFlag, ConfigProviderProps, Status } from '@signalbox/react'
import type { ReactElement } from 'react'

/** A value with what is known of it. The same object until one of the three changes. */
export interface LiveValue<V> {
  readonly value: V
  /** Of the snapshot that the value is from. 0 when nothing was fetched or given. */
  readonly version: number
  /** The server has not confirmed the value, or could not be reached when it was asked last. */
  readonly stale: boolean
}

/** Provider and hooks of one configuration. */
export interface Bindings<C extends AnyConfig = Registered> {
  /**
   * Gives the client components below it the configuration, and keeps it current. For a layout: `initialValues` is what
   * `getConfig` answered there, so that the server and the browser render the same.
   *
   * @throws {ConfigError} `forbidden` for a key that is not a browser's, and for `initialValues` with secrets in them.
   */
  readonly ConfigProvider: <const A extends string>(
    props: ConfigProviderProps<C, A>,
  ) => ReactElement
  /**
   * The value of a public key, with its version.
   *
   * @throws {ConfigError} `unknown_key` for a key without a value and a default, a secret among them; the failure of the
   * request where nothing was fetched.
   */
  readonly usePublicConfig: <K extends string>(key: BrowserKey<C, K>) => LiveValue<Value<C, K>>
  /** The flag, or its default, or false, with its version. Never throws for a name. */
  readonly useFeatureFlag: <K extends string>(key: BrowserFlag<C, K>) => LiveValue<boolean>
  /** Where the values came from, and whether the server has confirmed them. */
  readonly useConfigStatus: () => Status
}
