import { Problem } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import { canonicalNetwork, findNetworkRejection, requireNetwork } from './allowed-networks.ts'

describe('canonicalNetwork', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.9/24', '203.0.113.0/24'],
    ['203.0.113.9', '203.0.113.9/32'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['2001:DB8::1/32', '2001:db8::/32'],
    ['2001:db8::ffff/113', '2001:db8::8000/113'],
    ['::1', '::1/128'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.9/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.9', '203.0.113.9/32'],
  ])('writes %s as %s', (given, canonical) => {
    expect(canonicalNetwork(given)).toBe(canonical)
    expect(canonicalNetwork(canonical)).toBe(canonical)
  })

  it.each([
    '',
    'everywhere',
    '203.0.113.0/33',
    '203.0.113.0/-1',
    '203.0.113.0/024',
    '203.0.113.0/',
    '203.0.113/24',
    '0xcb.0.113.1',
    '010.0.0.1',
    '203.0.113.0/24/8',
    ' 203.0.113.0/24',
    '2001:db8::/129',
    'fe80::1%eth0',
    'example.com/24',
    '1:2:3',
  ])('takes %j for no network', (given) => expect(canonicalNetwork(given)).toBeUndefined())
})

describe('requireNetwork', () => {
  const networks = ['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32']

  it.each(['203.0.113.255', '198.51.100.7', '2001:db8:ffff::1'])('lets %s in', (address) => {
    expect(() => requireNetwork(networks, address)).not.toThrow()
  })

  it.each(['203.0.114.0', '198.51.100.8', '2001:db9::1', '::1', 'unknown'])(
    'refuses %s and says so',
    (address) => {
      expect(() => requireNetwork(networks, address)).toThrow(Problem)
      expect(findNetworkRejection(networks, address)).toContain(`from ${address}.`)
    },
  )

  it('keeps the families apart, and lets everybody in without a list', () => {
    expect(findNetworkRejection(['0.0.0.0/0'], '::1')).toBeDefined()
    expect(findNetworkRejection(['0.0.0.0/0'], '192.0.2.1')).toBeUndefined()
    expect(findNetworkRejection(null, 'unknown')).toBeUndefined()
  })
})
