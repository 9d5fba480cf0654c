'use client'

import type { Bindings } from './client/binding-types.ts'
import { bindings } from './client/registered-bindings.ts'

export type { Bindings, LiveValue } from './client/binding-types.ts'
export { createBindings } from './client/create-bindings.ts'
export {
  ConfigError,
  type ConfigProviderProps,
  type InitialValues,
  type Status,
} from '@signalbox/react'

/**
 * Provides the registered configuration to the components below it. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { ConfigProvider } from '@signalbox/next'
 * import { getConfig } from '@signalbox/next/server'
 * import type { ReactNode } from 'react'
 *
 * const source = {
 *   baseUrl: 'https://config.example.com',
 *   apiKey: 'sbx_b2m_…',
 *   orgId: 'acme',
 *   environment: 'production',
 * } as const
 *
 * export default async function Layout({ children }: { readonly children: ReactNode }) {
 *   const initialValues = await getConfig(source)
 *   return (
 *     <ConfigProvider {...source} initialValues={initialValues}>
 *       {children}
 *     </ConfigProvider>
 *   )
 * }
 * ```
 */
export const ConfigProvider: Bindings['ConfigProvider'] = bindings.ConfigProvider
/**
 * Returns the value of a public key, with its version. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { usePublicConfig } from '@signalbox/next'
 *
 * export function Size() {
 *   const { value, stale } = usePublicConfig('pageSize')
 *   return <p className={stale ? 'pale' : ''}>{value} items on a page</p>
 * }
 * ```
 */
export const usePublicConfig: Bindings['usePublicConfig'] = bindings.usePublicConfig
/**
 * Returns whether a flag is on, with its version. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { useFeatureFlag } from '@signalbox/next'
 *
 * export function Checkout() {
 *   const { value: isNew } = useFeatureFlag('newCheckout')
 *   return <button type="button">{isNew ? 'Buy now' : 'Continue'}</button>
 * }
 * ```
 */
export const useFeatureFlag: Bindings['useFeatureFlag'] = bindings.useFeatureFlag
/**
 * Returns where the values came from. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { useConfigStatus } from '@signalbox/next'
 *
 * export function Freshness() {
 *   const { source, stale } = useConfigStatus()
 *   return <small>{stale ? `${source}, not confirmed` : source}</small>
 * }
 * ```
 */
export const useConfigStatus: Bindings['useConfigStatus'] = bindings.useConfigStatus
