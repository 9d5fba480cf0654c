import type { AnyConfig, KnownValues, Registered } from '@signalbox/config'
import {
  createTestConfig as createReactTestConfig,
  type TestConfig,
  type TestValues,
} from '@signalbox/react/testing'
import { ConfigProvider } from './index.ts'
import { setSnapshotOfTest } from './server/test-snapshot.ts'

export type { TestConfig, TestValues } from '@signalbox/react/testing'

/**
 * Creates a provider of `values` for a test of client components. A key without a value throws its name, a flag without
 * one is off. `bindings` is the result of `createBindings`. Default: the provider of this package.
 */
export function createTestConfig<C extends AnyConfig = Registered>(
  values: TestValues<C>,
  bindings: { readonly ConfigProvider: unknown } = { ConfigProvider },
): TestConfig<C> {
  return createReactTestConfig<C>(values, bindings)
}

/**
 * Sets what `getConfig` and `getServerConfig` return in this process, whatever source they are given. They ask no server.
 * Defaults of a definition are there for what `values` leave out. `undefined`: a server is asked again.
 */
export function setServerConfig<C extends AnyConfig = Registered>(
  values: KnownValues<C> | undefined,
): void {
  setSnapshotOfTest(values)
}
