import { snapshotUrl, type SnapshotPlace } from '@signalbox/config/page'

export interface PreloadOptions extends Partial<SnapshotPlace> {
  /** Id or name. Example: `production`. */
  readonly environment: string
}

/**
 * Has the browser ask for the configuration of `environment` at once: call it before rendering is prepared. The provider
 * finds the answer by its address, so that there is one request. What is left out is what the plugin wrote into the page.
 * Does nothing where the page has asked already.
 */
export function preloadConfig(options: PreloadOptions): void {
  const href = snapshotUrl({ baseUrl: '', apiKey: '', ...globalThis.signalbox, ...options })
  if ([...document.querySelectorAll('link')].some((link) => link.href === href)) return
  const link = document.createElement('link')
  document.head.append(Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: '', href }))
}
