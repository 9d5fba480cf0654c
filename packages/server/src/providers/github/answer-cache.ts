import type { OutboundAnswer } from '../../egress/create-egress.ts'

/**
 * Caches answers with their ETags, by account and address. A request with `If-None-Match` for an unchanged one gets a 304, which
 * does not count against the rate limit.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export interface AnswerCache {
  find(accountId: string, url: string): CachedAnswer | undefined
  /** Caches an answer that has an ETag and is not too large; drops the least recently used ones. */
  keep(accountId: string, url: string, answer: OutboundAnswer): void
}

/** Holds an answer with the tag by which GitHub recognizes it. */
export interface CachedAnswer {
  readonly etag: string
  readonly answer: OutboundAnswer
}

export interface AnswerCacheLimits {
  readonly entriesMax?: number
  /** Of all bodies. */
  readonly bytesMax?: number
  /** Of one body. */
  readonly answerBytesMax?: number
}

/** Creates a cache of answers in memory. */
export function createAnswerCache({
  entriesMax = 1_000,
  bytesMax = 16 * 1024 * 1024,
  answerBytesMax = 256 * 1024,
}: AnswerCacheLimits = {}): AnswerCache {
  const entries = new Map<string, CachedAnswer>()
  let bytes = 0
  const forget = (key: string) => {
    bytes -= entries.get(key)?.answer.body.length ?? 0
    entries.delete(key)
  }
  return {
    find(accountId, url) {
      const key = keyOf(accountId, url)
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      // A map hands out its entries in the order in which they were set.
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    keep(accountId, url, answer) {
      const key = keyOf(accountId, url)
      forget(key)
      const { etag } = answer.headers
      if (etag === undefined || answer.body.length > answerBytesMax) return
      entries.set(key, { etag, answer })
      bytes += answer.body.length
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax && bytes <= bytesMax) break
        forget(oldest)
      }
    },
  }
}

function keyOf(accountId: string, url: string): string {
  return `${accountId} ${url}`
}
