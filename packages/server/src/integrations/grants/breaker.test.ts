import { beforeEach, describe, expect, it } from 'vitest'
import { ProviderError, type ProviderFailure } from '../../providers/provider-error.ts'
import { createBreaker, type Breaker } from './breaker.ts'

const failed = (failure: ProviderFailure) =>
  new ProviderError({ provider: 'github', failure, code: 'http_503' })

let clockMs: number
let breaker: Breaker

beforeEach(() => {
  clockMs = 1_000_000
  breaker = createBreaker(() => new Date(clockMs))
})

const fail = (times: number, failure: ProviderFailure = 'unavailable') => {
  for (let count = 0; count < times; count += 1) breaker.observe(failed(failure))
}
const secondsLeft = () => {
  const until = breaker.pausedUntil()
  return until === undefined ? 0 : (until.getTime() - clockMs) / 1000
}

describe('a breaker', () => {
  it('sends until five calls in a row have failed, whatever is not known of them', () => {
    fail(4)
    expect(secondsLeft()).toBe(0)
    fail(1, 'ambiguous')
    expect(secondsLeft()).toBe(5)
  })

  it('is not concerned with refusals, which are answers', () => {
    fail(4)
    fail(1, 'rateLimited')
    fail(4)
    fail(20, 'notFound')
    expect(secondsLeft()).toBe(0)
  })

  it('lets one try after the pause, and the others when it went well', () => {
    fail(5)
    clockMs += 5_000
    expect(secondsLeft()).toBe(0)
    expect(secondsLeft()).toBe(15)
    breaker.observe(undefined)
    expect(secondsLeft()).toBe(0)
    fail(4)
    expect(secondsLeft()).toBe(0)
  })

  it('pauses twice as long after each try that failed, and a minute at the most', () => {
    fail(5)
    const pauses = [5, 10, 20, 40, 60, 60]
    for (const pause of pauses) {
      expect(secondsLeft()).toBe(pause)
      clockMs += pause * 1000
      expect(secondsLeft()).toBe(0)
      fail(1)
    }
  })

  it('takes nothing from calls that were on their way when it began to pause', () => {
    fail(25)
    expect(secondsLeft()).toBe(5)
  })

  it('lets the next one try when nothing was heard of the first', () => {
    fail(5)
    clockMs += 5_000
    expect(secondsLeft()).toBe(0)
    clockMs += 15_000
    expect(secondsLeft()).toBe(0)
    expect(secondsLeft()).toBe(15)
  })
})
