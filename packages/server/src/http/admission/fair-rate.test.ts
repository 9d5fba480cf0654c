import { describe, expect, it } from 'vitest'
import type { Asker } from './fair-rate.ts'
import { defaultRateLimits } from './rate-classes.ts'
import { createRateLimiter } from './rate-limit.ts'

/** A node of 100 a second and 800 together, whose small allowance is 1 a second and 5 together. */
function open() {
  const clock = { ms: 1_000_000 }
  const limits = {
    ...defaultRateLimits,
    deliveryNode: { perSecond: 100, burst: 800 },
    deliveryShort: { perSecond: 1, burst: 5 },
  }
  const rate = createRateLimiter(limits, () => clock.ms).openFairRate({
    node: 'deliveryNode',
    short: 'deliveryShort',
  })
  const countTaken = (count: number, askerAt: (at: number) => Asker) => {
    const classes: string[] = []
    for (let at = 0; at < count; at += 1) {
      classes.push(rate.take(askerAt(at))?.rateClass ?? 'taken')
    }
    return classes.filter((each) => each === 'taken').length
  }
  return { clock, rate, countTaken }
}

const asker = (name: string, address: string | number, organization = name): Asker => ({
  credentialAtAddress: `${name} ${address}`,
  credential: name,
  organization,
  network: undefined,
})

describe('the fair rate of a node', () => {
  it('gives one who asks alone everything down to the half, and then the small allowance', () => {
    const { clock, countTaken } = open()
    expect(countTaken(1_000, () => asker('a', 1))).toBe(400 + 5)
    clock.ms += 1_000
    // A second brings a hundred, of which those below the half belong to others.
    expect(countTaken(1_000, () => asker('a', 1))).toBeGreaterThan(90)
  })

  it('takes everybody who still has the small allowance, as far as the node goes', () => {
    const { countTaken } = open()
    countTaken(1_000, () => asker('a', 1))
    expect(countTaken(5, (at) => asker('a', `other ${at}`))).toBe(5)
    expect(countTaken(5, (at) => asker(`b${at}`, 1))).toBe(5)
  })

  it('refuses who has asked much before who has asked seldom', () => {
    const { clock, countTaken } = open()
    // Fifty addresses: the free half, and three of the five that each has after it.
    expect(countTaken(10_000, (at) => asker('a', at % 50))).toBe(400 + 150)
    for (let second = 0; second < 10; second += 1) {
      expect(countTaken(30, (at) => asker('a', `other ${at + second * 30}`))).toBe(30)
      clock.ms += 1_000
      countTaken(10_000, (at) => asker('a', at % 50))
    }
  })

  it.each([
    ['key', 20, (at: number) => asker('a', at)],
    ['organization', 30, (at: number) => asker(`key ${at}`, at, 'a')],
    ['network', 10, (at: number) => ({ ...asker(`key ${at}`, at), network: '2001:db8::/48' })],
  ])('gives no %s more than its share of the last eighth', (_, share, askerAt) => {
    const { clock, countTaken } = open()
    // 700 down to the eighth, and the share of that in percent.
    expect(countTaken(2_000, askerAt)).toBe(700 + share)
    expect(countTaken(10, (at) => asker('another', at))).toBe(10)
    clock.ms += 100
    expect(countTaken(5, (at) => asker('another', `then ${at}`))).toBe(5)
  })

  it('leaves the rest of a key to others when one network has used up its part', () => {
    const { countTaken } = open()
    const network = '2001:db8::/48'
    countTaken(2_000, (at) => ({ ...asker('a', at), network }))
    expect(countTaken(10, (at) => asker('a', `other ${at}`))).toBe(10)
  })

  it('gives nothing beyond its burst, and takes nothing for a refusal', () => {
    const { clock, countTaken } = open()
    expect(countTaken(2_000, (at) => asker(`key ${at}`, at))).toBe(800)
    clock.ms += 1_000
    expect(countTaken(2_000, (at) => asker(`key ${at}`, at))).toBe(100)
  })

  it('has back what is refunded', () => {
    const { rate, countTaken } = open()
    for (let at = 0; at < 1_000; at += 1) {
      expect(rate.take(asker('a', 1))).toBeUndefined()
      rate.refund()
    }
    expect(countTaken(100, () => asker('a', 1))).toBe(100)
  })
})
