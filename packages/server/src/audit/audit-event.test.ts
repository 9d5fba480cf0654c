import { describe, expect, it } from 'vitest'
import { toKeptAddress, toKeptUserAgent } from './audit-event.ts'

describe('toKeptAddress', () => {
  it('keeps an IPv4 address whole, however it is written', () => {
    expect(toKeptAddress('203.0.113.9')).toBe('203.0.113.9')
    expect(toKeptAddress('::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(toKeptAddress('::FFFF:203.0.113.9')).toBe('203.0.113.9')
  })

  it('keeps only the /64 of an IPv6 address', () => {
    expect(toKeptAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(toKeptAddress('2001:0DB8:0001::9')).toBe('2001:db8:1:0::/64')
    expect(toKeptAddress('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
    expect(toKeptAddress('::1')).toBe('0:0:0:0::/64')
  })
})

describe('toKeptUserAgent', () => {
  it('keeps one line of at most 256 characters', () => {
    expect(toKeptUserAgent(undefined)).toBeNull()
    expect(toKeptUserAgent('curl/8\nforged line')).toBe('curl/8 forged line')
    expect(toKeptUserAgent('x'.repeat(1_000))).toHaveLength(256)
  })
})
