import { describe, expect, it } from 'vitest'
import { addressSubject } from './client-address.ts'
import { defaultRateLimits, parseRateLimits, rateLimitClasses } from './rate-classes.ts'
import { createRateLimiter, rateLimitHeaders } from './rate-limit.ts'

function open(perSecond: number, burst: number) {
  const clock = { ms: 1_000_000 }
  const limiter = createRateLimiter(
    { ...defaultRateLimits, read: { perSecond, burst } },
    () => clock.ms,
  )
  return { clock, bucket: limiter.bucket('read') }
}

describe('a bucket', () => {
  it('lets a burst through, then the rate', () => {
    const { clock, bucket } = open(10, 5)
    const taken = Array.from({ length: 7 }, () => bucket.take('a'))
    expect(taken).toEqual([0, 0, 0, 0, 0, 100, 100])
    clock.ms += 100
    expect([bucket.take('a'), bucket.take('a')]).toEqual([0, 100])
    clock.ms += 10_000
    expect(Array.from({ length: 6 }, () => bucket.take('a'))).toEqual([0, 0, 0, 0, 0, 100])
  })

  it('lets exactly the rate through over time', () => {
    const { clock, bucket } = open(50, 100)
    let passed = 0
    for (let i = 0; i < 20_000; i++) {
      if (bucket.take('a') === 0) passed++
      clock.ms += 1
    }
    expect(passed).toBeGreaterThanOrEqual(1_099)
    expect(passed).toBeLessThanOrEqual(1_101)
  })

  it('keeps subjects apart, and refusals cost nothing', () => {
    const { clock, bucket } = open(1, 1)
    expect(bucket.take('a')).toBe(0)
    for (let i = 0; i < 100; i++) expect(bucket.take('a')).toBeGreaterThan(0)
    expect(bucket.take('b')).toBe(0)
    clock.ms += 1_000
    expect(bucket.take('a')).toBe(0)
  })

  it('knows when it is empty and takes back what cost nothing', () => {
    const { bucket } = open(1, 2)
    expect(bucket.isEmpty('a')).toBe(false)
    bucket.take('a')
    bucket.take('a')
    expect(bucket.isEmpty('a')).toBe(true)
    bucket.refund('a')
    expect(bucket.isEmpty('a')).toBe(false)
    expect(bucket.take('a')).toBe(0)
    expect(bucket.take('a')).toBe(1_000)
  })

  it('forgets the idle when there are too many subjects, and nobody who is busy', () => {
    const { bucket } = open(1, 1)
    const busy = 'busy'
    bucket.take(busy)
    for (let i = 0; i < 300_000; i++) {
      bucket.take(`subject ${i}`)
      if (i % 20_000 === 0) bucket.refund(busy)
      if (i % 20_000 === 0) bucket.take(busy)
    }
    expect(bucket.take(busy)).toBeGreaterThan(0)
    expect(bucket.take('subject 0')).toBe(0)
    expect(bucket.take('subject 299999')).toBeGreaterThan(0)
  })

  it('describes itself as draft-ietf-httpapi-ratelimit-headers-11 says', () => {
    const { bucket } = open(100, 200)
    const allowance = bucket.describe('a', bucket.take('a'))
    expect(rateLimitHeaders(allowance)).toEqual({
      'RateLimit-Policy': '"read";q=200;w=2',
      RateLimit: '"read";r=199;t=1',
    })
  })
})

describe('a limiter', () => {
  it('set to off limits nothing and says nothing', () => {
    const bucket = createRateLimiter('off').bucket('signIn')
    for (let i = 0; i < 1_000; i++) expect(bucket.take('a')).toBe(0)
    expect(rateLimitHeaders(bucket.describe('a', 0))).toEqual({})
  })

  it('gives 4,096 addresses of one /64 network one allowance, and eight spellings of an address too', () => {
    const bucket = createRateLimiter({
      ...defaultRateLimits,
      open: { perSecond: 0.001, burst: 1 },
    }).bucket('open')
    let passed = 0
    for (let i = 0; i < 4_096; i++) {
      if (bucket.take(addressSubject(`2001:db8:1:2::${i.toString(16)}`)) === 0) passed++
    }
    expect(passed).toBe(1)
    const spellings = [
      '2001:db8:1:3::1',
      '2001:DB8:1:3::1',
      '2001:0db8:0001:0003:0000:0000:0000:0001',
      '2001:db8:1:3:0:0:0:1',
      '2001:db8:1:3::0:1',
      '2001:db8:1:3::0.0.0.1',
      '2001:db8:1:3:0::1',
      '2001:db8:1:3::1%eth0',
    ]
    expect(new Set(spellings.map((spelling) => addressSubject(spelling))).size).toBe(1)
    expect(addressSubject('::ffff:192.0.2.1')).toBe(addressSubject('192.0.2.1'))
  })
})

describe('parseRateLimits', () => {
  it('reads overrides by the second or the minute, with or without a burst', () => {
    expect(parseRateLimits(undefined)).toBe(defaultRateLimits)
    expect(parseRateLimits('off')).toBe('off')
    expect(parseRateLimits('delivery=200/400, write=50,signIn=30m/30')).toEqual({
      ...defaultRateLimits,
      delivery: { perSecond: 200, burst: 400 },
      write: { perSecond: 50, burst: 100 },
      signIn: { perSecond: 0.5, burst: 30 },
    })
    expect(parseRateLimits('read=0.5/1')).toMatchObject({ read: { perSecond: 0.5, burst: 1 } })
  })

  it('refuses what it cannot read, with the classes there are', () => {
    for (const wrong of [
      'x',
      'read',
      'read=',
      'read=0',
      'read=-1',
      'red=1/1',
      'read=1/2/3',
      'off,read=1',
      'read=1e3',
    ]) {
      expect(() => parseRateLimits(wrong)).toThrow(rateLimitClasses.join(', '))
    }
  })
})
