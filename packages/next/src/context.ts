'use client'

import { createContextHooks, type ContextHooks } from '@signalbox/react/context'
import { bindings } from './client/registered-bindings.ts'

export {
  createContextHooks,
  type ContextHooks,
  type EvaluationContext,
} from '@signalbox/react/context'

const hooks: ContextHooks = createContextHooks(bindings)

/**
 * Returns the value of a public key for one context. See `ContextHooks`.
 *
 * @example
 * ```tsx
 * 'use client'
 * import { useValueFor } from '@signalbox/next/context'
 *
 * export function Size({ userId }: { readonly userId: string }) {
 *   return <p>{useValueFor('pageSize', { targetingKey: userId })} items on a page</p>
 * }
 * ```
 */
export const useValueFor: ContextHooks['useValueFor'] = hooks.useValueFor
/**
 * Returns whether a flag is on for one context. See `ContextHooks`.
 *
 * @example
 * ```tsx
 * 'use client'
 * import { useFlagFor } from '@signalbox/next/context'
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
 * 'use client'
 * import { useVariantFor } from '@signalbox/next/context'
 *
 * export function Checkout({ userId }: { readonly userId: string }) {
 *   return <p>{useVariantFor('newCheckout', { targetingKey: userId }) ?? 'control'}</p>
 * }
 * ```
 */
export const useVariantFor: ContextHooks['useVariantFor'] = hooks.useVariantFor
