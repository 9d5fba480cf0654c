import { describe, expect, it } from 'vitest'
import type { Asker } from '../../http/admission/fair-rate.ts'
import { defaultRateLimits } from '../../http/admission/rate-classes.ts'
import { createRateLimiter } from '../../http/admission/rate-limit.ts'
import { askerOf } from '../testing/asker.ts'
import { createStreamAdmission } from './stream-admission.ts'

function open() {
  const clock = { ms: 1_000_000 }
  const checkAdmission = createStreamAdmission({
    limiter: createRateLimiter(defaultRateLimits, () => clock.ms),
    recordRateLimited() {},
  })
  /** Returns how many of `count` openings are admitted, each by what `name` gives for its number. */
  const countAdmitted = (count: number, name: (at: number) => Asker) => {
    let admitted = 0
    for (let at = 0; at < count; at += 1) {
      try {
        checkAdmission(name(at))
        admitted += 1
      } catch {
        // Counted by what is left.
      }
    }
    return admitted
  }
  return { clock, countAdmitted }
}

/** A visitor of a site: the key of the site, from an address of their own. */
const visitor = (site: string, at: number) =>
  askerOf(site, { credentialAtAddress: `${site} at ${at}` })

/** The burst of the node is used up in the first half of a second. */
const floodSeconds = 4

describe('openings of streams', () => {
  it('are not refused while the node has more than half of its burst left', () => {
    const { countAdmitted } = open()
    expect(countAdmitted(500, () => askerOf('one'))).toBe(500)
    expect(countAdmitted(4_000, (at) => visitor('site', at % 40))).toBe(4_000)
  })

  it('are counted for a key and an address, 500 and then 50 a second', () => {
    const { clock, countAdmitted } = open()
    expect(countAdmitted(1_000, () => askerOf('one'))).toBe(500)
    expect(countAdmitted(1_000, () => askerOf('other'))).toBe(500)
    clock.ms += 1_000
    expect(countAdmitted(1_000, () => askerOf('one'))).toBe(50)
  })

  it('of ten thousand clients that come back at once are all admitted within four seconds', () => {
    const { clock, countAdmitted } = open()
    let admitted = 0
    for (let second = 0; second < 4; second += 1) {
      admitted += countAdmitted(2_500, (at) => visitor('site', at + second * 2_500))
      clock.ms += 1_000
    }
    expect(admitted).toBe(10_000)
  })

  it('of few who open without end leave those who open seldom what they need', () => {
    const { clock, countAdmitted } = open()
    let honest = 0
    for (let second = 0; second < floodSeconds; second += 1) {
      for (let tenth = 0; tenth < 10; tenth += 1) {
        // 500 addresses with the public key of the site, and ten visitors of it and of another one.
        countAdmitted(2_000, (at) => visitor('site', at % 500))
        const from = 1_000 + second * 100 + tenth * 10
        honest += countAdmitted(5, (at) => visitor('site', from + at))
        honest += countAdmitted(5, (at) => visitor('another', from + at))
        clock.ms += 100
      }
    }
    expect(honest / (floodSeconds * 100)).toBeGreaterThan(0.95)
  })

  it('of one key from addresses without number leave other organizations what they need', () => {
    const { clock, countAdmitted } = open()
    let honest = 0
    for (let second = 0; second < floodSeconds; second += 1) {
      for (let tenth = 0; tenth < 10; tenth += 1) {
        countAdmitted(2_000, (at) => visitor('attacked', at + (second * 10 + tenth) * 2_000))
        honest += countAdmitted(10, (at) => visitor('another', at + (second * 10 + tenth) * 10))
        clock.ms += 100
      }
    }
    expect(honest).toBe(floodSeconds * 100)
  })

  it('of one network of IPv6 leave others what they need, also of the same key', () => {
    const { clock, countAdmitted } = open()
    let honest = 0
    for (let second = 0; second < floodSeconds; second += 1) {
      const network = '2001:db8:1::/48'
      countAdmitted(12_000, (at) => ({ ...visitor('site', at + second * 12_000), network }))
      honest += countAdmitted(100, (at) => visitor('site', -1 - at - second * 100))
      clock.ms += 1_000
    }
    expect(honest / (floodSeconds * 100)).toBeGreaterThan(0.9)
  })

  it('that are refused take nothing from a key', () => {
    const { clock, countAdmitted } = open()
    countAdmitted(20_000, (at) => visitor('site', at))
    expect(countAdmitted(100, () => askerOf('one'))).toBeLessThanOrEqual(100)
    clock.ms += 60_000
    expect(countAdmitted(500, () => askerOf('one'))).toBe(500)
  })
})
