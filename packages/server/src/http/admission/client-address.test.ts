import { describe, expect, it } from 'vitest'
import { createClientAddress } from './client-address.ts'

describe('createClientAddress', () => {
  it('believes no header without a trusted proxy', () => {
    const address = createClientAddress([])
    expect(address.of('203.0.113.9', '198.51.100.7')).toBe('203.0.113.9')
    expect(address.of('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9')
    expect(address.of(undefined, '198.51.100.7')).toBe('unknown')
  })

  it('tells who sends the header without being a trusted proxy, and who is one', () => {
    const told: string[] = []
    const address = createClientAddress(['10.0.0.0/8'], (from) => told.push(from))
    address.of('10.0.0.1', '198.51.100.7')
    address.of('203.0.113.9', undefined)
    address.of('::ffff:203.0.113.9', '198.51.100.7')
    expect(told).toEqual(['203.0.113.9'])
    expect(address.isProxy('::ffff:10.1.2.3')).toBe(true)
    expect([address.isProxy('203.0.113.9'), address.isProxy(undefined)]).toEqual([false, false])
  })

  it('reads the header from the right, as far as the proxies are trusted', () => {
    const address = createClientAddress(['10.0.0.0/8', '::1', '192.0.2.5'])
    expect(address.of('10.0.0.1', '198.51.100.7')).toBe('198.51.100.7')
    expect(address.of('10.0.0.1', '1.1.1.1, 198.51.100.7')).toBe('198.51.100.7')
    expect(address.of('10.0.0.1', '1.1.1.1, 198.51.100.7, 10.9.9.9')).toBe('198.51.100.7')
    expect(address.of('::1', '1.1.1.1,192.0.2.5,10.1.1.1')).toBe('1.1.1.1')
    expect(address.of('::ffff:10.0.0.1', '2001:DB8::1')).toBe('2001:db8::1')
    expect(address.of('203.0.113.9', '1.1.1.1')).toBe('203.0.113.9')
  })

  it('stops at the first entry that is not an address', () => {
    const address = createClientAddress(['10.0.0.0/8'])
    for (const junk of [
      '',
      'unknown',
      'x, y',
      '1.1.1.1, <script>',
      '1.1.1.1,',
      '1.2.3',
      '0x7f.1',
      '1.1.1.1:80',
    ]) {
      expect(address.of('10.0.0.1', junk)).toBe('10.0.0.1')
    }
  })

  it('reads an address as it did before, also one it remembers', () => {
    const address = createClientAddress([])
    for (const [sent, canonical] of [
      ['::ffff:10.0.0.1', '10.0.0.1'],
      ['2001:DB8::1', '2001:db8::1'],
      ['10.0.0.1', '10.0.0.1'],
      ['nothing', 'unknown'],
    ]) {
      expect([address.of(sent, undefined), address.of(sent, undefined)]).toEqual([
        canonical,
        canonical,
      ])
    }
  })

  it('refuses a network it cannot read', () => {
    expect(() => createClientAddress(['everyone'])).toThrow('SIGNALBOX_TRUSTED_PROXIES')
  })
})
