import { ConfigError } from '../config-error.ts'
import type { FetchLike, SnapshotStorage } from './client-types.ts'
import { createConditionalFetch } from './conditional-fetch.ts'
import { createCore, type CoreClient, type CoreOptions } from './core.ts'
import { createFetchEventSource } from './fetch-event-source.ts'
import { later } from './later.ts'

/** A `fetch` with the token in a header, that ends with `closing`. */
function authorized(options: CoreOptions, closing: AbortSignal): FetchLike {
  const request: FetchLike = options.fetch ?? fetch
  return (url, { headers, signal }) =>
    request(url, {
      headers: { ...headers, authorization: `Bearer ${options.token}` },
      signal: signal === undefined ? closing : AbortSignal.any([signal, closing]),
    })
}

/**
 * The client outside of a browser: the token travels in a header, the stream is read through `fetch`.
 * `localStorage` keeps the last-known-good copy where `options` names no storage.
 */
export function createServerClient(
  options: CoreOptions,
  localStorage?: SnapshotStorage,
): CoreClient {
  if (typeof document === 'object' && /^sbx_(?!b2m)/.test(options.token)) {
    throw new ConfigError('forbidden', 'Secret token in browser')
  }
  const closing = new AbortController()
  const request = authorized(options, closing.signal)
  const client = createCore(
    {
      ...options,
      fetch: createConditionalFetch(request),
      onError: (error) => {
        if (!closing.signal.aborted) options.onError?.(error)
      },
    },
    '',
    {
      fetch: request,
      setTimeout: later,
      EventSource: createFetchEventSource(request),
      localStorage,
    },
  )
  return {
    ...client,
    close() {
      closing.abort()
      client.close()
    },
    // The spread has copied the status of this moment.
    get status() {
      return client.status
    },
  }
}
