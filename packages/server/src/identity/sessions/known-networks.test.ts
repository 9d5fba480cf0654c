import { describe, expect, it } from 'vitest'
import { createKnownNetworks } from './known-networks.ts'

describe('a familiar network', () => {
  it('is one from which the account was signed in to within thirty days', () => {
    let now = 0
    const networks = createKnownNetworks({ now: () => new Date(now) })
    const home = { account: 'ada@example.com', network: '192.0.2.1' }
    networks.add(home)
    expect(networks.has(home)).toBe(true)
    expect(networks.has({ ...home, network: '192.0.2.2' })).toBe(false)
    expect(networks.has({ ...home, account: 'bob@example.com' })).toBe(false)
    now = 30 * 24 * 3600 * 1000
    expect(networks.has(home)).toBe(false)
  })

  it('is forgotten when there are too many, the one used longest ago first', () => {
    const networks = createKnownNetworks({ now: () => new Date(0) })
    const at = (number: number) => ({ account: 'ada@example.com', network: `network ${number}` })
    for (let i = 0; i <= 10_000; i++) networks.add(at(i))
    expect([networks.has(at(0)), networks.has(at(1))]).toEqual([false, true])
  })
})
