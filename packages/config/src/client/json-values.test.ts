import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Targeting } from '@signalbox/contract'
import { createClients } from '../testing/clients.ts'
import { startSnapshotServer, type SnapshotServer } from '../testing/snapshot-server.ts'

const clients = createClients()
let server: SnapshotServer
const banner = { text: 'Sale', plans: ['pro'] }
const pro = [{ attribute: 'plan', operator: 'equals', value: 'pro' }] as const
const targeting: Readonly<Record<string, Targeting>> = {
  banner: { rules: [{ when: pro, serve: { value: { text: 'Thanks' } } }] },
}

beforeEach(async () => {
  server = await startSnapshotServer({ public: { banner, size: 1 }, targeting })
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(async () => {
  vi.restoreAllMocks()
  clients.close()
  await server.stop()
})

describe('an object', () => {
  it('is decided in the process for the context that is given', async () => {
    const client = clients.open({ serverUrl: server.url })
    expect(await client.value('banner', { plan: 'pro' })).toEqual({ text: 'Thanks' })
    expect(await client.value('banner', { plan: 'free' })).toEqual(banner)
  })

  it('is frozen in Node, with all of its parts', async () => {
    const client = clients.open({ serverUrl: server.url })
    const value: { plans?: string[] } = Object(await client.get('banner'))
    expect(() => value.plans?.push('free')).toThrow(TypeError)
    const served: { text?: string } = Object(await client.value('banner', { plan: 'pro' }))
    expect(() => (served.text = 'x')).toThrow(TypeError)
  })
})
