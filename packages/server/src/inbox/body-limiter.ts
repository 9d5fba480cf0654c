import { Problem } from '@signalbox/contract'

/** Limits the memory that large bodies take while their senders are not verified yet. */
export interface BodyLimiter {
  /**
   * Reads a body of the declared length, in bytes. One of the usual size, 1 MB at most, is read at once. One that is larger,
   * or declares no length, counts as large, and few of those are read at a time.
   *
   * @throws {Problem} `overloaded` while too many large bodies are being read.
   */
  read(declaredBytes: string | undefined, readBytes: () => Promise<Buffer>): Promise<Buffer>
}

/** Equals the limit of any other endpoint. Webhooks have 10 to 30 kB; only a push of hundreds of commits has more. */
const usualBytesMax = 1024 * 1024
const digits = /^\d{1,9}$/

/**
 * Creates room for `bodiesMax` large bodies at once: the default of eight takes 200 MB. Without the limit a hundred
 * connections with forged webhooks would take 2 GB. Forged requests that use up the limit keep out large webhooks only.
 */
export function createBodyLimiter(bodiesMax = 8): BodyLimiter {
  let taken = 0
  return {
    async read(declaredBytes, readBytes) {
      const isDeclared = declaredBytes !== undefined && digits.test(declaredBytes)
      if (isDeclared && Number(declaredBytes) <= usualBytesMax) return readBytes()
      if (taken >= bodiesMax) {
        const detail = 'Too many large webhooks arrive at once. Send it again.'
        throw new Problem('overloaded', detail, { retryAfterSeconds: 5 })
      }
      taken += 1
      try {
        return await readBytes()
      } finally {
        taken -= 1
      }
    },
  }
}
