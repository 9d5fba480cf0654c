import { Problem } from '@signalbox/contract'
import type { ClientAddress } from '../../http/admission/client-address.ts'
import type { RateLimitClass } from '../../http/admission/rate-classes.ts'
import { rateLimitHeaders, type RateLimiter } from '../../http/admission/rate-limit.ts'
import type { AnswerAllowance, RequestMetadata } from './answer.ts'
import type { Reader } from '../cache/reader.ts'
import { createSubjects, type Subject, type Subjects } from '../cache/subject.ts'

/** Limits how many answers a caller may take, and divides those of the node among all callers while it is short. */
export interface Allowances extends Subjects {
  /** Holds the `RateLimit-Policy` header; `undefined` when rate limits are off. */
  readonly policy: string | undefined
  /** Returns what an answer to this request, or a rejection of it, costs the reader. */
  forAnswer(request: RequestMetadata, reader: Reader): AnswerAllowance
}

const unlimited: AnswerAllowance = { take: () => undefined, refund() {} }

/** Creates the allowances of one process; `recordRateLimited` counts the rejections. */
export function createAllowances(deps: {
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly recordRateLimited: (rateClass: string) => void
}): Allowances {
  const { limiter, clientAddress, recordRateLimited } = deps
  const perAddress = limiter.bucket('delivery')
  const ofNode = limiter.openFairRate({ node: 'deliveryNode', short: 'deliveryShort' })
  const policy = rateLimitHeaders(perAddress.describe('', 0))['RateLimit-Policy']
  const subjects = createSubjects(clientAddress)

  const takeOne = (subject: Subject) => {
    const { credentialAtAddress } = subject
    const waitMs = perAddress.take(credentialAtAddress)
    if (waitMs > 0) throw refuse('delivery', waitMs)
    const rejection = ofNode.take(subject)
    if (rejection !== undefined) {
      perAddress.refund(credentialAtAddress)
      throw refuse(rejection.rateClass, rejection.waitMs)
    }
    const { remaining, resetSeconds } = perAddress.describe(credentialAtAddress, 0)
    return `"delivery";r=${remaining};t=${resetSeconds}`
  }
  const refuse = (rateClass: RateLimitClass, waitMs: number) => {
    recordRateLimited(rateClass)
    return rateLimited(Math.ceil(waitMs / 1000))
  }

  return {
    policy,
    ...subjects,
    forAnswer(request, reader) {
      if (policy === undefined) return unlimited
      let header: string | undefined
      return {
        take() {
          header ??= takeOne(subjects.subjectOf(request, reader))
          return header
        },
        refund() {
          if (header === undefined) return
          header = undefined
          perAddress.refund(subjects.subjectOf(request, reader).credentialAtAddress)
          ofNode.refund()
        },
      }
    },
  }
}

function rateLimited(retryAfterSeconds: number): Problem {
  return new Problem(
    'rate_limited',
    'Too many requests in a short time. Send If-None-Match, which costs nothing while nothing has changed, or use the stream.',
    { retryAfterSeconds },
  )
}
