import type { Bindings } from './binding-types.ts'
import { bindings } from './registered-bindings.ts'

export type { Bindings, BrowserApiKey, BrowserFlag, ConfigProviderProps } from './binding-types.ts'
export { createBindings } from './create-bindings.ts'
export { ConfigError, type InitialValues, type Snapshot, type Status } from '@signalbox/config/page'

/**
 * Provides the registered configuration to the components below it. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { ConfigProvider } from '@signalbox/react'
 * import type { ReactNode } from 'react'
 *
 * export function App({ children }: { readonly children: ReactNode }) {
 *   return (
 *     <ConfigProvider
 *       baseUrl="https://config.example.com"
 *       apiKey="sbx_b2m_…"
 *       orgId="acme"
 *       environment="production"
 *       defaults={{ pageSize: 20, newCheckout: false }}
 *       fallback={<p>One moment</p>}
 *     >
 *       {children}
 *     </ConfigProvider>
 *   )
 * }
 * ```
 */
export const ConfigProvider: Bindings['ConfigProvider'] = bindings.ConfigProvider
/**
 * Returns the value of a public key. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { usePublicConfig } from '@signalbox/react'
 *
 * export function Size() {
 *   return <p>{usePublicConfig('pageSize')} items on a page</p>
 * }
 * ```
 */
export const usePublicConfig: Bindings['usePublicConfig'] = bindings.usePublicConfig
/**
 * Returns whether a flag is on. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { useFeatureFlag } from '@signalbox/react'
 *
 * export function Checkout() {
 *   return <button type="button">{useFeatureFlag('newCheckout') ? 'Buy now' : 'Continue'}</button>
 * }
 * ```
 */
export const useFeatureFlag: Bindings['useFeatureFlag'] = bindings.useFeatureFlag
/**
 * Returns where the values came from. See `Bindings`.
 *
 * @example
 * ```tsx
 * import { useConfigStatus } from '@signalbox/react'
 *
 * export function Freshness() {
 *   const { source, stale } = useConfigStatus()
 *   return <small>{stale ? `${source}, not confirmed` : source}</small>
 * }
 * ```
 */
export const useConfigStatus: Bindings['useConfigStatus'] = bindings.useConfigStatus
