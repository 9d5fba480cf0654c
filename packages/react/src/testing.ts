import type { AnyConfig, FlagKey, KnownValues, PublicKey, Registered } from '@signalbox/config'
import { createTestConfigClient } from '@signalbox/config/testing'
import { act, createElement, useSyncExternalStore, type ReactElement, type ReactNode } from 'react'
import type { Use } from './binding-types.ts'
import { ConfigProvider } from './index.ts'

/** Maps the public keys and the flags to the values that a test shows to components. Each may be missing. */
export type TestValues<C extends AnyConfig = Registered> = Pick<
  KnownValues<C>,
  PublicKey<C> | FlagKey<C>
>

/** Describes a provider whose values a test sets. */
export interface TestConfig<C extends AnyConfig = Registered> {
  /** Provides the values to the components below it, from the first render on. It sends no request. */
  readonly Provider: (props: { readonly children?: ReactNode }) => ReactElement
  /** Sets or replaces values inside `act`: what reads them has rendered again before it returns. */
  readonly set: (values: TestValues<C>) => void
}

type AnyProvider = (props: { readonly use: Use; readonly children?: ReactNode }) => ReactElement

/**
 * Creates a provider of `values` for a test of components. A key without a value throws its name, a flag without one is
 * off. `bindings` is the result of `createBindings`. Default: the provider of this package.
 */
export function createTestConfig<C extends AnyConfig = Registered>(
  values: TestValues<C>,
  bindings: { readonly ConfigProvider: unknown } = { ConfigProvider },
): TestConfig<C> {
  const client = createTestConfigClient(values)
  const subscribe = (listener: () => void) => client.subscribe(listener)
  const use: Use = (read) => {
    const current = () => read(client)
    return useSyncExternalStore(subscribe, current, current)
  }
  // Its props say nothing of `use`, which only tests give.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const AnyConfigProvider = bindings.ConfigProvider as AnyProvider
  return {
    Provider: ({ children }) => createElement(AnyConfigProvider, { use }, children),
    set: (changed) => inTest(() => client.set(changed)),
  }
}

/** Runs `change` inside `act`, which warns where nobody has told React that this is a test. */
function inTest(change: () => void): void {
  const environment: typeof globalThis & { IS_REACT_ACT_ENVIRONMENT?: boolean } = globalThis
  const before = environment.IS_REACT_ACT_ENVIRONMENT ?? false
  environment.IS_REACT_ACT_ENVIRONMENT = true
  try {
    act(change)
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = before
  }
}
