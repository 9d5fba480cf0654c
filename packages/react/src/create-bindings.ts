import type { AnyConfig, RegisteredKeys } from '@signalbox/config'
import { createPageCore, namedPath, type CoreOptions } from '@signalbox/config/page'
import { createContext, createElement, useContext, useState, useSyncExternalStore } from 'react'
import type { Bindings, ConfigProviderProps, Use } from './binding-types.ts'

type Props = ConfigProviderProps & {
  /** Holds the values as programs in JavaScript may pass them, with secrets, which the types exclude. */
  readonly initialValues?: CoreOptions['initialValues']
  /** Reads the values of a test in place of a client: `createTestConfig`. */
  readonly use?: Use
}

/**
 * Creates a provider and hooks for one configuration, separate from all others: for a program that reads several, and
 * for libraries. With a registered configuration, use the exports of this package.
 *
 * @example
 * ```tsx
 * import { defineConfig, number } from '@signalbox/config'
 * import { createBindings } from '@signalbox/react'
 *
 * const search = defineConfig({ public: { depth: number() } })
 * export const { ConfigProvider, usePublicConfig } = createBindings<typeof search>()
 * ```
 */
export function createBindings<C extends AnyConfig = RegisteredKeys>(): Bindings<C>
export function createBindings(): object {
  const Context = createContext<Use>(() => {
    throw new Error('No ConfigProvider')
  })

  return {
    ConfigProvider(props: Props) {
      const [useCore] = useState(() => props.use ?? createUse(props))
      const { source, error } = useCore((core) => core.status)
      return createElement(
        Context.Provider,
        { value: useCore },
        error || source !== 'default' ? props.children : props.fallback,
      )
    },
    usePublicConfig: (key: string) => useContext(Context)((core) => core.snapshot().get(key)),
    useFeatureFlag: (key: string) => useContext(Context)((core) => core.snapshot().flag(key)),
    useConfigStatus: () => useContext(Context)((core) => core.status),
    Context,
  }
}

/**
 * Starts the client with the first subscriber, which exists once something is mounted in a browser, and ends it with
 * the last: never on a server, and twice where React mounts twice.
 */
function createUse(props: Props): Use {
  const source = { ...globalThis.signalbox, ...props }
  const listeners = new Set<() => void>()
  const options = {
    ...source,
    serverUrl: source.baseUrl ?? '',
    token: source.apiKey ?? '',
    // Ids override the names of the page.
    path: props.schemaId
      ? ''
      : source.orgId && namedPath(source.orgId, source.environment, source.schema),
    onStatus: () => listeners.forEach((listener) => listener()),
  }
  // Never made ready: it has the values that the server rendered with.
  const first = createPageCore(options)
  let core = first
  const subscribe = (listener: () => void) => {
    if (!listeners.size) {
      core = createPageCore(options)
      void core.ready()
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (!listeners.size) core.close()
    }
  }
  return (read) =>
    useSyncExternalStore(
      subscribe,
      () => read(core, options),
      () => read(first, options),
    )
}
