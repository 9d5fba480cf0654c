import { ConfigError } from '@signalbox/config/client'

/**
 * Waits for `work`, at most `limitMs`. The work goes on, and a later failure is ignored. An abort signal would end
 * it, but Next.js does not share requests that have one.
 *
 * @throws {ConfigError} `unreachable` when the time is over.
 */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ConfigError('unreachable', `No response within ${limitMs} ms`))
    }, limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
