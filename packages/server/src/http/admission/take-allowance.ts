import { Problem } from '@signalbox/contract'
import { isWrite, type EndpointShape } from '@signalbox/contract/rest'
import type { Actor } from './actor.ts'
import { addressSubject } from './client-address.ts'
import type { Exchange } from '../exchange.ts'
import type { RateLimitClass } from './rate-classes.ts'
import type { RateLimiter } from './rate-limit.ts'

/**
 * Takes a request from its allowance, and notes on the exchange what is left.
 *
 * @throws {Problem} `rate_limited`.
 */
export function takeAllowance(
  limiter: RateLimiter,
  endpoint: EndpointShape,
  exchange: Exchange,
): void {
  const [policy, subject] = allowanceOf(endpoint, exchange)
  if (policy !== undefined) take(limiter, exchange, [policy, subject])
}

/**
 * Takes from a person's allowance of revealed secrets, in addition to that of the request.
 *
 * @throws {Problem} `rate_limited`.
 */
export function takeReveal(limiter: RateLimiter, exchange: Exchange, actor: Actor): void {
  take(limiter, exchange, ['reveal', subjectOf(actor)])
}

/** Returns the subject of an actor. A person has one allowance for all credentials. */
function subjectOf(actor: Actor): string {
  return actor.type === 'user' ? actor.userId : actor.credentialId
}

function take(
  limiter: RateLimiter,
  exchange: Exchange,
  [policy, subject]: readonly [RateLimitClass, string],
): void {
  const bucket = limiter.bucket(policy)
  const allowance = bucket.describe(subject, bucket.take(subject))
  exchange.allowance = allowance
  if (allowance.allowed) return
  const detail = `The allowance "${policy}" is used up. Wait ${allowance.retryAfterSeconds} s, then send requests more slowly.`
  throw new Problem('rate_limited', detail, { retryAfterSeconds: allowance.retryAfterSeconds })
}

/** Refunds a request: a 304 costs nothing. */
export function refundAllowance(
  limiter: RateLimiter,
  endpoint: EndpointShape,
  exchange: Exchange,
): void {
  const [policy, subject] = allowanceOf(endpoint, exchange)
  if (policy === undefined) return
  const bucket = limiter.bucket(policy)
  bucket.refund(subject)
  exchange.allowance = bucket.describe(subject, 0)
}

/** Returns the class and the subject that a request counts against. */
function allowanceOf(
  endpoint: Pick<EndpointShape, 'rateClass' | 'method' | 'readsWithBody'>,
  { actor, ip, signInSubject }: Pick<Exchange, 'actor' | 'ip' | 'signInSubject'>,
): readonly [RateLimitClass | undefined, string] {
  const { rateClass } = endpoint
  if (rateClass === 'none') return [undefined, '']
  if (rateClass === 'signIn') return [rateClass, signInSubject]
  if (rateClass === 'probe') return [rateClass, addressSubject(ip)]
  if (actor === undefined) return ['open', addressSubject(ip)]
  if (rateClass === 'export') return [rateClass, subjectOf(actor)]
  switch (actor.type) {
    case 'user':
      return ['session', actor.userId]
    case 'api_key':
      return [isWrite(endpoint) ? 'write' : 'read', actor.keyId]
    case 'agent':
      return ['agent', actor.credentialId]
    case 'bootstrap':
      return [isWrite(endpoint) ? 'write' : 'read', 'bootstrap']
    default:
      return actor satisfies never
  }
}
