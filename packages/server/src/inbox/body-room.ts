import { Problem } from '@signalbox/contract'

/** Room in memory for large bodies that are being read, and whose senders nobody knows yet. */
export interface BodyRoom {
  /**
   * Reads a body of the declared length, in bytes. One of the usual size is read at once. One that is larger, or says
   * nothing of its length, needs a place among the large ones.
   *
   * @throws {Problem} `overloaded` while there is no place.
   */
  read(declaredBytes: string | undefined, readBytes: () => Promise<Buffer>): Promise<Buffer>
}

/** As much as any other endpoint reads. Webhooks have ten to thirty kilobytes, but for a push of hundreds of commits. */
const usualBytesMax = 1024 * 1024
const digits = /^\d{1,9}$/

/**
 * Makes room for so many large bodies at once: eight of them are 200 MB. Without it a hundred connections that send
 * nothing genuine would take two gigabytes. Strangers who hold the places keep out large webhooks alone.
 */
export function createBodyRoom(bodiesMax = 8): BodyRoom {
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
