import type { AnyConfig, Registered } from '@signalbox/config'
import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import type { Bindings } from './binding-types.ts'
import { createStore, type Readable, type Store, type StoreOptions } from './store.ts'

/** Before the browser paints. On a server neither runs, and React 18 warns of the first. */
const useBrowserEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

interface Props extends StoreOptions {
  readonly fallback?: ReactNode
  readonly children?: ReactNode
}

/**
 * Provider and hooks of one configuration, apart from all others: for a program that reads several, and for libraries.
 * Where one is registered, take what this package exports.
 */
export function createBindings<C extends AnyConfig = Registered>(): Bindings<C>
export function createBindings(): object {
  const Context = createContext<Store | undefined>(undefined)

  function useReading<T>(read: (readable: Readable) => T): T {
    const store = useContext(Context)
    if (!store) throw new Error('No ConfigProvider')
    return useSyncExternalStore(
      store.subscribe,
      () => read(store.current()),
      () => read(store.initial),
    )
  }

  function ConfigProvider(props: Props) {
    const { baseUrl, apiKey, orgId, environment, schemaId, environmentId } = props
    const store = useMemo(
      () => createStore(props),
      // The other props count when it is made.
      [baseUrl, apiKey, orgId, environment, schemaId, environmentId],
    )
    const [known, setKnown] = useState<Store>()
    useBrowserEffect(() => store.open(() => setKnown(store)), [store])
    return createElement(
      Context.Provider,
      { value: store },
      props.initialValues || known === store ? props.children : props.fallback,
    )
  }

  return {
    ConfigProvider,
    usePublicConfig: (key: string) => useReading((readable) => readable.snapshot().get(key)),
    useFeatureFlag: (key: string) => useReading((readable) => readable.snapshot().flag(key)),
    useConfigStatus: () => useReading((readable) => readable.status),
  }
}
