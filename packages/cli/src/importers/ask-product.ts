import { ExportError, type TokenAccess } from './importer.ts'

const attemptsMax = 6
const waitMaxSeconds = 120

/** Holds what asking a product needs of the outside. */
export interface AskDeps {
  readonly fetch: typeof fetch
  readonly wait: (seconds: number, why: string) => Promise<void>
  readonly now: () => Date
}

/**
 * Returns a function that asks a product for JSON. Where the product answers 429 it waits as long as `Retry-After` or
 * `X-Ratelimit-Reset` says, in seconds or as a moment in milliseconds, and asks again. No error names a header.
 */
export function createAsk({ fetch, wait, now }: AskDeps): TokenAccess['ask'] {
  return async (url, headers, onNext) => {
    const { host, pathname } = new URL(url)
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(url, { headers, redirect: 'error' }).catch(() => undefined)
      if (response === undefined) throw new ExportError(`${host} can't be reached.`)
      if (response.ok) {
        findNext(response.headers, url, onNext)
        return parse(await response.text(), `${host}${pathname}`)
      }
      await response.body?.cancel()
      if (response.status === 401 || response.status === 403) {
        throw new ExportError(`${host} refuses the token (${response.status}).`)
      }
      const isLater = response.status === 429 || response.status >= 500
      if (!isLater || attempt === attemptsMax) {
        throw new ExportError(`${host}${pathname} answers ${response.status}.`)
      }
      await wait(secondsOf(response.headers, now()) ?? 2 ** attempt, `${host} asks to wait`)
    }
  }
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
  const seconds = after === null ? secondsUntil(reset, now) : Number(after)
  return seconds === undefined || !Number.isFinite(seconds)
    ? undefined
    : Math.min(Math.max(seconds, 0), waitMaxSeconds)
}

/** Reads a moment: milliseconds since 1970, seconds since then, or seconds from now. */
function secondsUntil(reset: string | null, now: Date): number | undefined {
  const number = Number(reset)
  if (reset === null || !Number.isFinite(number)) return undefined
  if (number > 1e11) return (number - now.getTime()) / 1000
  return number > 1e8 ? number - now.getTime() / 1000 : number
}
