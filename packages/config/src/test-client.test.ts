import { describe, expect, it } from 'vitest'
import { createTestConfigClient } from './test-client.ts'

describe('createTestConfigClient', () => {
  it('answers what the test gave', async () => {
    const client = createTestConfigClient({ pageSize: 3, beta: true })
    await client.ready()
    expect(await client.get('pageSize')).toBe(3)
    expect(await client.flag('beta')).toBe(true)
    expect(await client.flag('other')).toBe(false)
    client.set({ note: undefined })
    expect(await client.get('note')).toBeUndefined()
    await expect(client.get('constructor')).rejects.toMatchObject({ code: 'unknown_key' })
    expect(client.status).toMatchObject({ version: 2, source: 'network', stale: false })
    expect(client.status).toBe(client.status)
  })

  it('answers for every context with the value and the variant that the test gave', async () => {
    const client = createTestConfigClient({ pageSize: 3, checkout: true }, { checkout: 'blue' })
    expect(await client.value('pageSize', { plan: 'pro' })).toBe(3)
    expect(await client.variant('checkout', { plan: 'pro' })).toBe('blue')
    expect(await client.variant('other')).toBeUndefined()
    client.set({ pageSize: 4 })
    expect(client.snapshot().value('pageSize', { plan: 'free' })).toBe(4)
    expect(client.snapshot().variant('checkout')).toBe('blue')
    await expect(client.value('constructor')).rejects.toMatchObject({ code: 'unknown_key' })
  })

  it('tells subscribers of what is set, before set returns', () => {
    const client = createTestConfigClient({ pageSize: 3, beta: false })
    const before = client.snapshot()
    const heard: unknown[] = []
    const stop = client.subscribe((snapshot) => heard.push(snapshot.flag('beta')), ['beta'])
    client.set({ pageSize: 4 })
    client.set({ beta: true })
    stop()
    client.set({ beta: false })
    expect(heard).toEqual([true])
    expect(before.get('pageSize')).toBe(3)
    expect(client.snapshot().get('pageSize')).toBe(4)
    expect(client.snapshot().version).toBe(4)
  })
})
