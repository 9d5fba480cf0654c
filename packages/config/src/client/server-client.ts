import type { EvaluationContext } from '@signalbox/contract'
import { AdvisedError } from '../advised-error.ts'
import type { ConfigError, ConfigErrorCode } from '../config-error.ts'
import { checkOptions } from './check-options.ts'
import type { FetchLike, SnapshotStorage, FetchInit, ResponseLike } from './client-types.ts'
import { openComplaints, type Complaints } from './complaints.ts'
import { addReads, type CoreClient } from './add-reads.ts'
import { createCore, type Core, type CoreOptions } from './core.ts'
import { createFetchEventSource } from './fetch-event-source.ts'
import {
  decideFlags,
  hideRules,
  withRuleNames,
  type DecidingCore,
  type DecidingSnapshot,
} from './flag-rules.ts'
import type { Host } from './host.ts'
import { later } from './later.ts'
import { createRefusingFetch } from './refusing-fetch.ts'
import { eitherOf, timeouts } from './signals.ts'
import { nearNames } from './near-names.ts'

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

/** Describes a `TargetedClient` whose configuration is unknown to the compiler. */
interface ServerClient extends CoreClient, DecidingCore {
  value(key: string, context?: EvaluationContext): Promise<unknown>
  variant(key: string, context?: EvaluationContext): Promise<string | undefined>
  snapshot(): DecidingSnapshot
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
): ServerClient {
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
    (all) =>
      decideFlags(openCore(all, host, Failure, complaints), {
        limits: options.limits,
        report: complaints.error,
        Failure,
      }),
  )
  return {
    ...client,
    flag: (key, context) => client.ready().then(() => client.snapshot().flag(key, context)),
    value: (key, context) => client.ready().then(() => client.snapshot().value(key, context)),
    variant: (key, context) => client.ready().then(() => client.snapshot().variant(key, context)),
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

/** Freezes the parts of a snapshot, which several readers share, and not the snapshot itself, which the client changes. */
const freezeParts = (key: string, value: unknown) => (key === '' ? value : Object.freeze(value))

/** Returns a response with a body that arrived earlier. */
function replay(text: string, headers: ResponseLike['headers']): ResponseLike {
  return {
    ok: true,
    status: 200,
    headers,
    body: undefined,
    json: async () => JSON.parse(text, freezeParts),
  }
}

/**
 * Returns a `fetch` for one address that sends the ETag of the last response, and returns that response again on 304,
 * as the HTTP cache of a browser does.
 */
function createConditionalFetch(request: FetchLike): FetchLike {
  let known: { readonly etag: string; readonly text: string } | undefined
  return async (url, { signal }: FetchInit) => {
    const response = await request(url, {
      ...(known && { headers: { 'if-none-match': known.etag } }),
      ...(signal !== undefined && { signal }),
    })
    if (response.status === 304 && known) return replay(known.text, response.headers)
    const etag = response.headers.get('etag')
    if (!response.ok || etag === null) return response
    const text = JSON.stringify(await response.json())
    known = { etag, text }
    return replay(text, response.headers)
  }
}

interface ServerAccess {
  readonly serverUrl: string
  readonly token: string
}

/** Returns the error class of a client. Its advice depends on the kind of key that the client reads with. */
function createErrorClass(access: ServerAccess): typeof ConfigError {
  return class ConfigError extends AdvisedError {
    constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
      super(code, message + nearNames(message, options?.cause), advice[code](access), options)
    }
  }
}

const advice: Readonly<Record<ConfigErrorCode, (access: ServerAccess) => string>> = {
  unauthorized: () =>
    'Set the option token (SIGNALBOX_TOKEN) to a valid server key of this server, sbx_m2m_….',
  forbidden: () =>
    'Use a key that may read this schema and this environment, or ask an admin to extend this one.',
  not_found: () =>
    'Compare the options schemaId and environmentId with what "signalbox push" and "signalbox environments list" print. ' +
    'The key must belong to the same organization. A new schema exists after the first push.',
  unreachable: ({ serverUrl }) =>
    `Check that Signalbox is running and that the option serverUrl (${serverUrl}) is its address. The client keeps trying.`,
  invalid: ({ serverUrl }) =>
    `Another program answers instead of Signalbox. Check the proxies between here and ${serverUrl}.`,
  untrusted: ({ serverUrl }) =>
    `The client keeps its values. Compare the option keys of verify() with "signalbox publisher-keys". If they are right, something between here and ${serverUrl} changes or replays snapshots.`,
  out_of_range: () =>
    'Correct the value and its rules, or "signalbox push" the definition that this program has.',
  unknown_key: ({ token }) =>
    token.startsWith('sbx_b2m_')
      ? "A browser key (sbx_b2m_…) can't read secrets: use a server key (sbx_m2m_…). Any other key needs a value: " +
        '"signalbox set", or the option defaults.'
      : 'Declare it in signalbox.config.ts and "signalbox push", then give it a value: "signalbox set", or the option ' +
        'defaults, where an optional key may be undefined. A snapshot taken before ready() holds defaults only.',
}
