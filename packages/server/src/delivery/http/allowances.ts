import { Problem } from '@signalbox/contract'
import type { ClientAddress } from '../../http/admission/client-address.ts'
import { rateLimitHeaders, type Bucket, type RateLimiter } from '../../http/admission/rate-limit.ts'
import type { AnswerAllowance, RequestHead } from './answer.ts'
import type { Reader } from '../cache/reader.ts'
import { createSubjects, type Subject, type Subjects } from '../cache/subject.ts'

/** What a caller may take: so much per credential, and so much per credential and address. */
export interface Allowances extends Subjects {
  /** The `RateLimit-Policy` header; `undefined` when nothing is limited. */
  readonly policy: string | undefined
  /** What an answer, or a refusal, to this request costs its reader. */
  forAnswer(request: RequestHead, reader: Reader): AnswerAllowance
}

const unlimited: AnswerAllowance = { take: () => undefined, giveBack() {} }

export function createAllowances(deps: {
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly recordRateLimited: (rateClass: string) => void
}): Allowances {
  const { limiter, clientAddress, recordRateLimited } = deps
  const perPlace = limiter.bucket('delivery')
  const perCredential = limiter.bucket('deliveryNode')
  const policy = rateLimitHeaders(perPlace.describe('', 0))['RateLimit-Policy']
  const subjects = createSubjects(clientAddress)

  const takeFrom = (bucket: Bucket, subject: string) => {
    const waitMs = bucket.take(subject)
    if (waitMs === 0) return
    recordRateLimited('delivery')
    throw rateLimited(bucket.describe(subject, waitMs).retryAfterSeconds)
  }
  const takeOne = ({ place, credential }: Subject) => {
    takeFrom(perPlace, place)
    takeFrom(perCredential, credential)
    const { remaining, resetSeconds } = perPlace.describe(place, 0)
    return `"delivery";r=${remaining};t=${resetSeconds}`
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
        giveBack() {
          if (header === undefined) return
          header = undefined
          const { place, credential } = subjects.subjectOf(request, reader)
          perPlace.refund(place)
          perCredential.refund(credential)
        },
      }
    },
  }
}

function rateLimited(retryAfterSeconds: number): Problem {
  return new Problem(
    'rate_limited',
    'Too many answers in a short time. Send If-None-Match, which costs nothing when nothing changed, or listen to the stream.',
    { retryAfterSeconds },
  )
}
