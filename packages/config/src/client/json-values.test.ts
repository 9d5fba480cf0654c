import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Targeting } from '@signalbox/contract'
import { createConfigClient as createBrowserClient } from './browser.ts'
import { createClients } from '../testing/clients.ts'
import {
  browserKey,
  environmentId,
  schemaId,
  startSnapshotServer,
  type SnapshotServer,
} from '../testing/snapshot-server.ts'

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

const openBrowser = () =>
  createBrowserClient({
    serverUrl: server.url,
    token: browserKey,
    schemaId,
    environmentId,
    persist: false,
    onError: () => {},
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

  it.each([
    ['Node', () => clients.open({ serverUrl: server.url })],
    ['a browser', openBrowser],
  ])(
    'stays the same one in %s until its value changes, and tells no subscriber',
    async (_, open) => {
      const client = open()
      const first = await client.get('banner')
      const heard = vi.fn<(snapshot: unknown) => void>()
      client.subscribe(heard, ['banner'])
      server.publish({ public: { banner: { ...banner }, size: 2 } })
      await vi.waitFor(async () => {
        await client.refresh()
        expect(await client.get('size')).toBe(2)
      })
      expect(await client.get('banner')).toBe(first)
      expect(heard).not.toHaveBeenCalled()
      server.publish({ public: { banner: { ...banner, text: 'Over' }, size: 2 } })
      await vi.waitFor(async () => {
        await client.refresh()
        expect(await client.get('banner')).toEqual({ ...banner, text: 'Over' })
      })
      expect(heard).toHaveBeenCalledTimes(1)
      client.close()
    },
  )
})
