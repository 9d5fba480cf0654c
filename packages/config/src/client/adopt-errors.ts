import { ConfigError } from '../config-error.ts'
import type { FetchLike } from './client-types.ts'

/** Returns a `fetch` whose own `ConfigError`s, such as those of `verify`, become a `Failure`, with its advice. */
export function adoptErrors(request: FetchLike, Failure: typeof ConfigError): FetchLike {
  return async (url, init) => {
    try {
      return await request(url, init)
    } catch (cause) {
      if (!(cause instanceof ConfigError)) throw cause
      throw new Failure(cause.code, cause.message, { cause })
    }
  }
}
