import { Problem } from '@signalbox/contract'
import type { Asker } from '../../http/admission/fair-rate.ts'
import type { RateLimiter } from '../../http/admission/rate-limit.ts'

/**
 * Admits one stream that the node has room for. A refused stream takes nothing from any limit, so that nobody can lock
 * others out by trying.
 *
 * @throws {Problem} `rate_limited` when the credential opens too many at its address in a short time, `overloaded` when
 * all together do
 */
export type StreamAdmission = (asker: Asker) => void

/** Creates the admission with the limits `streamOpenKey`, `streamOpenShort` and `streamOpen`. */
export function createStreamAdmission(deps: {
  readonly limiter: RateLimiter
  readonly recordRateLimited: (rateClass: string) => void
}): StreamAdmission {
  const perAddress = deps.limiter.bucket('streamOpenKey')
  const ofNode = deps.limiter.openFairRate({ node: 'streamOpen', short: 'streamOpenShort' })
  return (asker) => {
    const { credentialAtAddress } = asker
    const waitMs = perAddress.take(credentialAtAddress)
    if (waitMs > 0) {
      deps.recordRateLimited('streamOpenKey')
      throw opensTooOften(waitMs)
    }
    const rejection = ofNode.take(asker)
    if (rejection === undefined) return
    perAddress.refund(credentialAtAddress)
    deps.recordRateLimited(rejection.rateClass)
    throw rejection.rateClass === 'streamOpen'
      ? nodeOpensTooMany(rejection.waitMs)
      : opensTooOften(rejection.waitMs)
  }
}

function opensTooOften(waitMs: number): Problem {
  const detail =
    'This credential opens streams too often from this address. Keep one open, and reconnect after a pause.'
  return new Problem('rate_limited', detail, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

function nodeOpensTooMany(waitMs: number): Problem {
  const detail =
    'Too many clients open streams on this node at the same time. Reconnect after a pause.'
  return new Problem('overloaded', detail, { retryAfterSeconds: Math.ceil(waitMs / 1000) + 1 })
}
