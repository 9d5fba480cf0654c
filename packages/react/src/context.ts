import type { AnyConfig, BrowserKey, LimitRange, RegisteredKeys, Value } from '@signalbox/config'
import { ConfigError } from '@signalbox/config/page'
import { useCallback, useContext, useEffect, useSyncExternalStore, type Context } from 'react'
import type { BrowserFlag, PageOptions, Use } from './binding-types.ts'
import {
  createEvaluationStores,
  readEvaluations,
  type Evaluation,
  type EvaluationContext,
} from './evaluations.ts'
import { bindings } from './registered-bindings.ts'

export type { EvaluationContext } from './evaluations.ts'

/** Describes the hooks of one configuration that return what the server decides for one context. They need its `ConfigProvider`. */
export interface ContextHooks<C extends AnyConfig = RegisteredKeys> {
  /**
   * Returns the value of a public key for one context, as its rules decide on the server. Until the server has answered, and where it
   * can't be reached, returns the value of the environment, as `usePublicConfig` does. A number outside of `range` becomes the nearest
   * one in it, and the provider's `onError` is told once.
   *
   * @throws {ConfigError} as `usePublicConfig`
   */
  readonly useValueFor: <K extends string>(
    key: BrowserKey<C, K>,
    context: EvaluationContext,
    range?: LimitRange,
  ) => Value<C, K>
  /**
   * Returns whether a flag is on for one context, as its rules decide on the server. Until the server has answered, returns the value
   * of the environment, as `useFeatureFlag` does.
   */
  readonly useFlagFor: <K extends string>(
    key: BrowserFlag<C, K>,
    context: EvaluationContext,
  ) => boolean
  /** Returns the variant of a flag for one context. `undefined` until the server has answered, and for a flag without variants. */
  readonly useVariantFor: <K extends string>(
    key: BrowserFlag<C, K>,
    context: EvaluationContext,
  ) => string | undefined
}

const stores = createEvaluationStores()

async function send(address: string, body: string) {
  const response = await fetch(address, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(5_000),
  })
  if (!response.ok) throw new Error(`Signalbox answers ${response.status}`)
  return readEvaluations(await response.json())
}

const nothingToFollow = () => () => {}

/** Returns what the server has decided for a key and a context; `undefined` until it has. */
function useEvaluation(
  useClient: Use,
  key: string,
  context: EvaluationContext,
): Evaluation | undefined {
  // Empty until the ids are known, and in a test.
  const address = useClient((core, options) => {
    const { schemaId, environmentId } = core.snapshot()
    if (options === undefined || schemaId === undefined) return ''
    return `${options.serverUrl.replace(/\/$/, '')}/ofrep/v1/evaluate/flags?environment=${environmentId}&schema=${schemaId}&apiKey=${options.token}`
  })
  // A changed rule is a new version for browsers, which get no rules.
  const version = useClient((core) => core.snapshot().version)
  const body = JSON.stringify({ context })
  const id = `${address} ${body}`
  const subscribe = useCallback(
    (listener: () => void) => stores.subscribe({ id, send: () => send(address, body) }, listener),
    [id, address, body],
  )
  const evaluation = useSyncExternalStore(
    address === '' ? nothingToFollow : subscribe,
    () => stores.read(id)?.[key],
    () => undefined,
  )
  // After the subscription, which opens the store.
  useEffect(() => stores.load(id, version), [id, version])
  return evaluation
}

/** Holds the keys that each provider has been told of. */
const reportedKeys = new WeakMap<PageOptions, Set<string>>()

/** Reports to a provider once that a value of `key` is outside of its range. */
function reportOnce(options: PageOptions, key: string, { min, max }: LimitRange): void {
  const keys = reportedKeys.get(options) ?? new Set()
  reportedKeys.set(options, keys)
  if (keys.has(key)) return
  keys.add(key)
  const message = `${key} is outside of ${min} to ${max}, so the page uses the nearest number. Correct the value and its rules, or the range in the code.`
  // A page renders whatever it does with its errors.
  Promise.reject(new ConfigError('out_of_range', message))
    .catch(options.onError)
    .catch(() => {})
}

/** Returns `value`, or the nearest number of `range`, and tells the provider of it. */
function useClamped(useClient: Use, key: string, value: unknown, range?: LimitRange): unknown {
  const options = useClient((_, known) => known)
  const { min = -Infinity, max = Infinity } = range ?? {}
  const clamped = typeof value === 'number' ? Math.min(Math.max(value, min), max) : value
  const isOutside = clamped !== value
  useEffect(() => {
    if (isOutside && options !== undefined) reportOnce(options, key, { min, max })
  }, [isOutside, options, key, min, max])
  return clamped
}

/**
 * Creates the hooks of another configuration than the registered one. `bindings` is the result of `createBindings`.
 *
 * @example
 * ```tsx
 * import { defineConfig, limit } from '@signalbox/config'
 * import { createBindings } from '@signalbox/react'
 * import { createContextHooks } from '@signalbox/react/context'
 *
 * const search = defineConfig({ public: { depth: limit({ min: 1, max: 9 }) } })
 * export const bindings = createBindings<typeof search>()
 * export const { useValueFor } = createContextHooks<typeof search>(bindings)
 * ```
 */
export function createContextHooks<C extends AnyConfig = RegisteredKeys>(bindings: {
  readonly Context: Context<Use>
}): ContextHooks<C>
export function createContextHooks({ Context }: { readonly Context: Context<Use> }): object {
  const useClient: Use = (read) => useContext(Context)(read)
  return {
    useValueFor(key: string, context: EvaluationContext, range?: LimitRange) {
      const own = useClient((core) => core.snapshot().get(key))
      const decided = useEvaluation(useClient, key, context)
      return useClamped(useClient, key, decided === undefined ? own : decided.value, range)
    },
    useFlagFor(key: string, context: EvaluationContext) {
      const own = useClient((core) => core.snapshot().flag(key))
      const decided = useEvaluation(useClient, key, context)
      return decided === undefined ? own : decided.value === true
    },
    useVariantFor: (key: string, context: EvaluationContext) =>
      useEvaluation(useClient, key, context)?.variant,
  }
}

const hooks: ContextHooks = createContextHooks(bindings)

/**
 * Returns the value of a public key for one context. See `ContextHooks`.
 *
 * @example
 * ```tsx
 * import { useValueFor } from '@signalbox/react/context'
 *
 * export function Size({ userId }: { readonly userId: string }) {
 *   const size = useValueFor('pageSize', { targetingKey: userId }, { min: 1, max: 50 })
 *   return <p>{size} items on a page</p>
 * }
 * ```
 */
export const useValueFor: ContextHooks['useValueFor'] = hooks.useValueFor
/**
 * Returns whether a flag is on for one context. See `ContextHooks`.
 *
 * @example
 * ```tsx
 * import { useFlagFor } from '@signalbox/react/context'
 *
 * export function Checkout({ userId }: { readonly userId: string }) {
 *   return <p>{useFlagFor('newCheckout', { targetingKey: userId }) ? 'Buy now' : 'Continue'}</p>
 * }
 * ```
 */
export const useFlagFor: ContextHooks['useFlagFor'] = hooks.useFlagFor
/**
 * Returns the variant of a flag for one context. See `ContextHooks`.
 *
 * @example
 * ```tsx
 * import { useVariantFor } from '@signalbox/react/context'
 *
 * export function Checkout({ userId }: { readonly userId: string }) {
 *   return <p>{useVariantFor('newCheckout', { targetingKey: userId }) ?? 'control'}</p>
 * }
 * ```
 */
export const useVariantFor: ContextHooks['useVariantFor'] = hooks.useVariantFor
