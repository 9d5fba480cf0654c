import { ConfigError, type ConfigErrorCode } from '../config-error.ts'
import type { FetchLike, ResponseLike } from './client-types.ts'

/**
 * Returns a `fetch` that throws a `Failure` with the server's rejection, or with the reason why `address` could not be
 * reached.
 */
export function createRefusingFetch(
  request: FetchLike,
  address: string,
  Failure: typeof ConfigError,
): FetchLike {
  return async (url, init) => {
    const response = await ask(request, url, init).catch((cause: unknown) => {
      // Of the program's own fetch, such as that of `verify`.
      if (cause instanceof ConfigError) throw new Failure(cause.code, cause.message, { cause })
      throw new Failure('unreachable', `No response from ${address}: ${nameOf(cause)}`, { cause })
    })
    if (response.ok) return response
    const { status } = response
    const detail = await detailOf(response)
    // The server says the same to everyone, so that nobody finds out what others have. The key is in a header.
    const what = status === 404 ? ` for ${url.slice(address.length).replace(/[?&]$/, '')}` : ''
    throw new Failure(
      codes.get(status) ?? 'unreachable',
      `${address} answered ${status}${what}${detail}`,
    )
  }
}

/** Maps a status to the code that the core uses for it. */
const codes: ReadonlyMap<number, ConfigErrorCode> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
])

// A function, so that an error thrown by `request` becomes a rejection.
const ask = async (...[request, ...args]: [FetchLike, ...Parameters<FetchLike>]) => request(...args)

/**
 * Returns the name of an error and never its message, because platforms repeat headers in it, and one of those is the
 * token. Told is only what the platform lacks. Example: `AbortSignal.any is not a function`.
 */
function nameOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the request failed'
  if (/^[\w.]{1,60} is not (a function|a constructor|defined)$/.test(cause.message))
    return cause.message
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  if (cause.cause instanceof Error) return nameOf(cause.cause)
  // Example: TimeoutError.
  return cause.name === 'Error' ? 'the request failed' : cause.name
}

/** Returns the detail of a problem document. */
async function detailOf(response: ResponseLike): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return ''
  const problem = await response.json().catch(() => undefined)
  const isProblem = typeof problem === 'object' && problem !== null && 'detail' in problem
  return isProblem && typeof problem.detail === 'string' ? `: ${problem.detail}` : ''
}
