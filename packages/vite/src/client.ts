import { namedPath } from '@signalbox/config/page'

/** Describes the configuration to preload. Missing options are read from the page. */
export interface PreloadOptions {
  /** Id or name. Example: `production`. */
  readonly environment: string
  readonly baseUrl?: string
  /** A browser key, `sbx_b2m_…`. */
  readonly apiKey?: string
  /** Id or name. */
  readonly orgId?: string
  /** Id or name. Needed when the key may read several. */
  readonly schema?: string
}

/**
 * Requests the configuration of `environment` immediately. Call it before you prepare the rendering. The provider finds
 * the response by its address, so that there is one request. The plugin's values in the page replace missing options.
 * It does nothing when the page has requested it already.
 *
 * @example
 * ```ts
 * import { preloadConfig } from '@signalbox/vite/client'
 *
 * preloadConfig({ environment: 'production' })
 * ```
 */
export function preloadConfig(options: PreloadOptions): void {
  const {
    baseUrl = '',
    apiKey,
    orgId = '',
    environment,
    schema,
  } = { ...globalThis.signalbox, ...options }
  const path = namedPath(orgId, environment, schema)
  const href = `${baseUrl.replace(/\/$/, '')}${path}apiKey=${apiKey}`
  if (document.querySelector(`link[href="${href}"]`)) return
  const link = document.createElement('link')
  document.head.append(Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: '', href }))
}
