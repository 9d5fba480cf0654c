import type { AnyConfig, Registered } from '@signalbox/config'
import {
  createPageCore,
  createStillCore,
  namedPath,
  type Core,
  type CoreOptions,
} from '@signalbox/config/page'
import { createContext, createElement, useContext, useState, useSyncExternalStore } from 'react'
import type { Bindings, ConfigProviderProps } from './binding-types.ts'

type Props = ConfigProviderProps & {
  /** Holds the values as programs in JavaScript may pass them, with secrets, which the types exclude. */
  readonly initialValues?: CoreOptions['initialValues']
}

/** Returns the current result of `read`, or while hydrating that of the server. Renders again when it changes. */
type Use = <T>(read: (core: Pick<Core, 'snapshot' | 'status'>) => T) => T

/**
 * Creates a provider and hooks for one configuration, separate from all others: for a program that reads several, and
 * for libraries. With a registered configuration, use the exports of this package.
 */
export function createBindings<C extends AnyConfig = Registered>(): Bindings<C>
export function createBindings(): object {
  const Context = createContext<Use>(() => {
    throw new Error('No ConfigProvider')
  })

  return {
    ConfigProvider(props: Props) {
      const [useCore] = useState(() => createUse(props))
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
  }
}

/**
 * Starts the client with the first subscriber, which exists once something is mounted in a browser, and ends it with
 * the last: never on a server, and twice where React mounts twice.
 */
function createUse(props: Props): Use {
  const { baseUrl = '', apiKey = '', orgId, ...others } = { ...globalThis.signalbox, ...props }
  let listeners: (() => void)[] = []
  const options = {
    ...others,
    serverUrl: baseUrl,
    token: apiKey,
    // Ids override the names of the page.
    path: props.schemaId ? '' : orgId && namedPath(orgId, others.environment, others.schema),
    onStatus: () => listeners.map((listener) => listener()),
  }
  const first = createStillCore(options)
  let core = first
  const subscribe = (listener: () => void) => {
    if (!listeners[0]) core = createPageCore(options)
    listeners.push(listener)
    return () => {
      listeners = listeners.filter((other) => other !== listener)
      if (!listeners[0]) core.close()
    }
  }
  return (read) =>
    useSyncExternalStore(
      subscribe,
      () => read(core),
      () => read(first),
    )
}
