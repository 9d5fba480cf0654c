import type { Socket } from 'node:net'
import { Problem } from '@signalbox/contract'
import { addressSubject, type ClientAddress } from '../http/client-address.ts'
import { rateLimitHeaders, type Bucket, type RateLimiter } from '../http/rate-limit.ts'
import type { RequestHead } from './answer.ts'
import type { Reader } from './reader.ts'

/** Who asks from where, as limits count it. */
export interface Subject {
  readonly credential: string
  /** Credential and address (of IPv6 the network) together. */
  readonly place: string
}

/** What a caller may take: so much per credential, and so much per credential and address. */
export interface Allowances {
  /** The `RateLimit-Policy` header; `undefined` when nothing is limited. */
  readonly policy: string | undefined
  readonly addressOf: (request: RequestHead) => string
  subjectOf(request: RequestHead, reader: Reader): Subject
  /** Takes one answer, and says in the `RateLimit` header what is left. @throws {Problem} `rate_limited` */
  take(request: RequestHead, reader: Reader): string | undefined
}

interface Known {
  readonly address: string
  readonly reader: Reader
  readonly subject: Subject
}

export function createAllowances(deps: {
  readonly limiter: RateLimiter
  readonly clientAddress: ClientAddress
  readonly recordRateLimited: (rateClass: string) => void
}): Allowances {
  const { limiter, clientAddress, recordRateLimited } = deps
  const perPlace = limiter.bucket('delivery')
  const perCredential = limiter.bucket('deliveryNode')
  const policy = rateLimitHeaders(perPlace.describe('', 0))['RateLimit-Policy']
  /** A connection's reader rarely changes, so neither do the words its requests are counted under. */
  const addresses = new WeakMap<Socket, string>()
  const subjects = new WeakMap<Socket, Known>()

  const takeFrom = (bucket: Bucket, subject: string) => {
    const waitMs = bucket.take(subject)
    if (waitMs === 0) return
    recordRateLimited('delivery')
    throw rateLimited(bucket.describe(subject, waitMs).retryAfterSeconds)
  }
  const addressOf = ({ socket, headers }: RequestHead) => {
    const forwardedFor = headers['x-forwarded-for']
    const known = forwardedFor === undefined ? addresses.get(socket) : undefined
    if (known !== undefined) return known
    const address = clientAddress.of(socket.remoteAddress, toText(forwardedFor))
    if (forwardedFor === undefined) addresses.set(socket, address)
    return address
  }
  const subjectOf = (request: RequestHead, reader: Reader): Subject => {
    const address = addressOf(request)
    const known = subjects.get(request.socket)
    if (known?.reader === reader && known.address === address) return known.subject
    const credential = reader.type === 'person' ? reader.credentialId : reader.keyId
    const subject = { credential, place: `${credential} ${addressSubject(address)}` }
    subjects.set(request.socket, { address, reader, subject })
    return subject
  }

  return {
    policy,
    addressOf,
    subjectOf,
    take(request, reader) {
      if (policy === undefined) return undefined
      const { place, credential } = subjectOf(request, reader)
      takeFrom(perPlace, place)
      takeFrom(perCredential, credential)
      const { remaining, resetSeconds } = perPlace.describe(place, 0)
      return `"delivery";r=${remaining};t=${resetSeconds}`
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

function toText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(',') : header
}
