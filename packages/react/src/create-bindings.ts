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
  /** Holds what the types leave out, and programs in JavaScript do not. */
  readonly initialValues?: CoreOptions['initialValues']
}

/** A hook: what `read` finds now, or while hydrating what it found on the server. Renders again when that changes. */
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
 * Reading begins with the first subscriber, which is there once something is mounted in a browser, and ends with the
 * last: never on a server, and twice where React mounts twice.
 */
function createUse(props: Props): Use {
  const { baseUrl = '', apiKey = '', orgId, ...others } = { ...globalThis.signalbox, ...props }
  let listeners: (() => void)[] = []
  const options = {
    ...others,
    serverUrl: baseUrl,
    token: apiKey,
    // Ids win over the names that the page has.
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
