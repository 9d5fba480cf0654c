import { AdvisedError } from '../advised-error.ts'
import type { ConfigError } from '../config-error.ts'
import { checkOptions } from './check-options.ts'
import type { FetchLike, SnapshotStorage } from './client-types.ts'
import { openComplaints, type Complaints } from './complaints.ts'
import { createConditionalFetch } from './conditional-fetch.ts'
import { addReads, type CoreClient } from './add-reads.ts'
import { createCore, type Core, type CoreOptions } from './core.ts'
import { createErrorClass } from './create-error-class.ts'
import { createFetchEventSource } from './fetch-event-source.ts'
import { decideFlags, hideRules, withRuleNames } from './flag-rules.ts'
import type { Host } from './host.ts'
import { later } from './later.ts'
import { createRefusingFetch } from './refusing-fetch.ts'
import { eitherOf, timeouts } from './signals.ts'

/** Returns a `fetch` with the token in a header. It ends with `closing`. */
function authorized(options: CoreOptions, closing: AbortSignal): FetchLike {
  const request: FetchLike = options.fetch ?? fetch
  return (url, { headers, signal }) =>
    // The query may be empty, because the key is in a header.
    request(url.replace(/[?&]$/, ''), {
      headers: { ...headers, authorization: `Bearer ${options.token}` },
      signal: signal === undefined ? closing : eitherOf(signal, closing),
    })
}

/** Creates the core, and says to `complaints` when it has got an answer. */
function openCore(
  options: CoreOptions,
  host: Host,
  Failure: typeof ConfigError,
  complaints: Complaints,
): Core {
  // It reports its first status before it is returned.
  let core: Core | undefined
  const onStatus: CoreOptions['onStatus'] = (values, guard) => {
    options.onStatus?.(values, guard)
    if (core !== undefined && core.status.error === undefined) complaints.recovered()
  }
  core = createCore({ ...options, onStatus }, '', host, Failure)
  return core
}

/** Returns whether this runs on the device of a visitor: in a page, in a worker of one, or in React Native. */
function isWithVisitors(): boolean {
  if (typeof document === 'object') return true
  // Cloudflare, Deno, Bun and Node name themselves, and other platforms have none.
  const navigator: Partial<Navigator> = globalThis.navigator ?? {}
  return navigator.product === 'ReactNative' || navigator.userAgent?.startsWith('Mozilla') === true
}

/**
 * Creates the client outside of a browser: the token travels in a header, and the stream is read through `fetch`.
 * `localStorage` holds the last-known-good copy where `options` names no storage.
 *
 * @throws {ConfigError} `invalid` for an option that no server accepts, `forbidden` for a secret token in a browser.
 */
export function createServerClient(
  options: CoreOptions,
  localStorage?: SnapshotStorage,
): CoreClient {
  if (isWithVisitors() && /^sbx_(?!b2m)/.test(options.token)) {
    throw new AdvisedError(
      'forbidden',
      'Secret token in browser or app',
      'Everyone who has the page or the app could read it. Use a browser key (sbx_b2m_…), and revoke this one if it was published.',
    )
  }
  checkOptions(options)
  const Failure = createErrorClass(options)
  const closing = new AbortController()
  const request = authorized(options, closing.signal)
  const host: Host = {
    fetch: request,
    AbortSignal: timeouts,
    setTimeout: later,
    EventSource: createFetchEventSource(request),
    localStorage,
  }
  const complaints = openComplaints(options, closing.signal)
  const client = addReads(
    {
      ...options,
      fetch: hideRules(
        createRefusingFetch(createConditionalFetch(request), options.serverUrl, Failure),
      ),
      onError: complaints.error,
    },
    (all) => decideFlags(openCore(all, host, Failure, complaints), complaints.error),
  )
  return {
    ...client,
    flag: (key, context) => client.ready().then(() => client.snapshot().flag(key, context)),
    subscribe: (fn, keys) => client.subscribe(fn, withRuleNames(keys)),
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
