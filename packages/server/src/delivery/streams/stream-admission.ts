import { Problem } from '@signalbox/contract'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'

/**
 * Admits one stream that the node has room for. `subject` is its credential and address together. A refused stream
 * takes nothing from any limit, so that nobody can lock others out by trying.
 *
 * @throws {Problem} `rate_limited` when the subject opens too many in a short time, `overloaded` when all together do
 */
export type AdmitStream = (subject: string) => void

/** Creates the admission with the limits `streamOpenKey` and `streamOpen`. */
export function createStreamAdmission(deps: {
  readonly limiter: RateLimiter
  readonly recordRateLimited: (rateClass: string) => void
}): AdmitStream {
  const perSubject = deps.limiter.bucket('streamOpenKey')
  const perNode = deps.limiter.bucket('streamOpen')
  return (subject) => {
    const subjectWaitMs = perSubject.take(subject)
    if (subjectWaitMs > 0) {
      deps.recordRateLimited('streamOpenKey')
      throw opensTooOften(subjectWaitMs)
    }
    const nodeWaitMs = perNode.take('node')
    if (nodeWaitMs === 0) return
    perSubject.refund(subject)
    throw nodeOpensTooMany(nodeWaitMs)
  }
}

function opensTooOften(waitMs: number): Problem {
  const detail =
    'This credential opens streams too often from this address. Keep one open, and connect again after a pause.'
  return new Problem('rate_limited', detail, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

function nodeOpensTooMany(waitMs: number): Problem {
  const detail = 'This node opens only so many streams a second. Connect again after a pause.'
  return new Problem('overloaded', detail, { retryAfterSeconds: Math.ceil(waitMs / 1000) + 1 })
}
