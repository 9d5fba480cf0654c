import { ExportError, type TokenAccess } from './importer.ts'

const attemptsMax = 6
const waitMaxSeconds = 120
const answerSeconds = 60
const answerMaxBytes = 256 * 1024 * 1024
/** Ends a reader whose product always has one more page. */
const requestsMax = 5000

/** Holds what asking a product needs of the outside. */
export interface AskDeps {
  readonly fetch: typeof fetch
  readonly wait: (seconds: number, why: string) => Promise<void>
  readonly now: () => Date
  /** Lists what no error may show, such as a token that is a part of an address. */
  readonly hidden?: readonly string[]
  /** Limits how long one answer takes. Default 60. */
  readonly answerSeconds?: number
  /** Limits the requests of one import. Default 5000. */
  readonly requestsMax?: number
}

/**
 * Returns a function that asks a product for JSON. Where the product answers 429, fails once, or breaks an answer off, it waits
 * as long as `Retry-After` or `X-Ratelimit-Reset` says, in seconds or as a moment, and asks again. No error names a header.
 */
export function createAsk(deps: AskDeps): TokenAccess['ask'] {
  let requests = 0
  const limit = deps.requestsMax ?? requestsMax
  return async (url, headers, onNext, body) => {
    const { host } = new URL(url)
    const address = hide(nameAddress(url), deps.hidden)
    for (let attempt = 1; ; attempt += 1) {
      requests += 1
      if (requests > limit) {
        throw new ExportError(`${host} has always one more page: ${limit} requests were made.`)
      }
      const outcome = await askOnce(deps, { url, headers, body })
      if ('text' in outcome) {
        findNext(outcome.headers, url, onNext)
        return parse(outcome.text, address)
      }
      if (!outcome.isLater || attempt === attemptsMax) {
        throw new ExportError(outcome.why(host, address))
      }
      const seconds = outcome.headers && secondsOf(outcome.headers, deps.now())
      await deps.wait(seconds ?? 2 ** attempt, `${host} ${outcome.reason}`)
    }
  }
}

interface ProductRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

type Outcome =
  | { readonly text: string; readonly headers: Headers }
  | {
      readonly isLater: boolean
      readonly reason: string
      readonly why: (host: string, address: string) => string
      readonly headers?: Headers
    }

async function askOnce(deps: AskDeps, { url, headers, body }: ProductRequest): Promise<Outcome> {
  const seconds = deps.answerSeconds ?? answerSeconds
  const signal = AbortSignal.timeout(seconds * 1000)
  let response: Response | undefined
  try {
    response = await deps.fetch(url, {
      headers,
      redirect: 'error',
      signal,
      ...(body !== undefined && { method: 'POST', body }),
    })
    if (response.ok) return { text: await readText(response), headers: response.headers }
    return await toRejection(response)
  } catch (error) {
    if (error instanceof ExportError) throw error
    // It answered, so it may do better. Nothing at that address never does.
    const isLater = signal.aborted || response !== undefined
    const reason = signal.aborted
      ? `doesn't answer within ${seconds} s`
      : response === undefined
        ? "can't be reached"
        : 'breaks its answer off'
    return { isLater, reason, why: (host) => `${host} ${reason}.` }
  }
}

async function toRejection(response: Response): Promise<Outcome> {
  const { status, headers } = response
  const kind = status === 400 ? readKind(await readText(response)) : undefined
  await response.body?.cancel().catch(() => undefined)
  if (status === 401 || status === 403) {
    const why = (host: string) => `${host} refuses the token (${status}).`
    return { isLater: false, reason: '', why }
  }
  const isBusy = status === 429 || (kind !== undefined && /throttl|toomanyrequests/i.test(kind))
  return {
    isLater: isBusy || status >= 500,
    reason: isBusy ? 'asks to wait' : `answers ${status}`,
    why: (_, address) => `${address} answers ${status}${kind === undefined ? '' : ` (${kind})`}.`,
    headers,
  }
}

/** Returns the kind of an error as AWS names it. Example: `ThrottlingException`. */
function readKind(text: string): string | undefined {
  return /"__type"\s*:\s*"(?:[\w.]*#)?([A-Za-z]{1,60})"/.exec(text)?.[1]
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > answerMaxBytes) {
      throw new ExportError(
        `An answer has more than ${answerMaxBytes / 1024 / 1024} MiB. Nothing was read.`,
      )
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(concat(chunks, size))
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

function nameAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Replaces what no error may show, also where an address has it encoded. */
function hide(text: string, hidden: readonly string[] = []): string {
  return hidden
    .flatMap((secret) => (secret === '' ? [] : [secret, encodeURIComponent(secret)]))
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}

/** Calls `onNext` with the next page (RFC 8288). Throws for one of another origin, which must not get the token. */
function findNext(headers: Headers, url: string, onNext?: (url: string) => void): void {
  const target = /<([^>]+)>;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1]
  if (target === undefined) return
  const next = new URL(target, url)
  const { origin, host } = new URL(url)
  if (next.origin !== origin) {
    throw new ExportError(`${host} has its next page at another address, ${next.host}.`)
  }
  onNext?.(next.href)
}

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ExportError(`${url} answers no JSON.`)
  }
}

/** Returns the seconds to wait. `undefined`: the response does not say. */
function secondsOf(headers: Headers, now: Date): number | undefined {
  const after = headers.get('retry-after')
  const reset = headers.get('x-ratelimit-reset')
  const seconds = after === null ? secondsUntil(reset, now) : secondsAfter(after, now)
  return seconds === undefined || !Number.isFinite(seconds)
    ? undefined
    : Math.min(Math.max(seconds, 0), waitMaxSeconds)
}

/** Reads `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). */
function secondsAfter(after: string, now: Date): number {
  const seconds = Number(after)
  return Number.isFinite(seconds) ? seconds : (Date.parse(after) - now.getTime()) / 1000
}

/** Reads a moment: milliseconds since 1970, seconds since then, or seconds from now. */
function secondsUntil(reset: string | null, now: Date): number | undefined {
  const number = Number(reset)
  if (reset === null || !Number.isFinite(number)) return undefined
  if (number > 1e11) return (number - now.getTime()) / 1000
  return number > 1e8 ? number - now.getTime() / 1000 : number
}
