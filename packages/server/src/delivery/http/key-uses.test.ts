import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeyUses } from './key-uses.ts'
import { ask } from '../testing/http-client.ts'
import { openTestDelivery, snapshotPath, type TestDelivery } from '../testing/test-delivery.ts'

const started = new Date('2026-11-21T06:00:00.000Z')
const later = (seconds: number) => new Date(started.getTime() + seconds * 1000)

let node: TestDelivery

beforeEach(async () => {
  node = await openTestDelivery()
  await node.publish()
})
afterEach(() => node.close())

type Key = ReturnType<TestDelivery['addKey']>

const read = async ({ headers }: Pick<Key, 'headers'>) => {
  expect((await node.ask(snapshotPath, { headers })).status).toBe(200)
}
const use = ({ key }: Key, usedAt: Date) => ({ orgId: key.orgId, keyId: key.id, usedAt })

describe('the uses of keys that the delivery reports', () => {
  it('contain each used key with its last request, however the key was sent', async () => {
    const [browser, server, unused] = [node.addKey('b2m'), node.addKey('m2m'), node.addKey('b2m')]
    await read(browser)
    node.pass(10_000)
    expect((await node.ask(`${snapshotPath}?apiKey=${browser.token}`)).status).toBe(200)
    node.pass(10_000)
    const accessToken = await node.issueAccessToken(server)
    await read({ headers: { authorization: `Bearer ${accessToken}` } })
    expect(node.delivery.takeKeyUses()).toEqual([use(browser, later(10)), use(server, later(20))])
    expect(node.delivery.takeKeyUses()).toEqual([])
    await read(unused)
    await read(browser)
    expect(node.delivery.takeKeyUses()).toEqual([use(unused, later(20)), use(browser, later(20))])
  })

  it('include reads at the address of the API', async () => {
    const browser = node.addKey('b2m')
    const handle = node.delivery.handlerFor({ crossOrigin: false })
    const api = createServer((request, response) => void handle(request, response))
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = api.address() as AddressInfo
      expect((await ask(port, snapshotPath, browser)).status).toBe(200)
      expect(node.delivery.takeKeyUses()).toEqual([use(browser, started)])
    } finally {
      api.close()
    }
  })

  it('include a key with an open stream, even when nothing changes', async () => {
    const browser = node.addKey('b2m')
    const stream = await node.stream(`${snapshotPath}/stream`, browser.headers)
    expect(node.delivery.takeKeyUses()).toEqual([use(browser, started)])
    node.pass(60_000)
    expect(node.delivery.takeKeyUses()).toEqual([use(browser, later(60))])
    stream.close()
    await expect.poll(() => node.delivery.status().streams).toBe(0)
    node.pass(60_000)
    expect(node.delivery.takeKeyUses()).toEqual([])
  })

  it('retain the last use of a revoked key, and count nothing after it', async () => {
    const [reading, streaming] = [node.addKey('b2m'), node.addKey('b2m')]
    await read(reading)
    await node.stream(`${snapshotPath}/stream`, streaming.headers)
    node.pass(10_000)
    for (const { key } of [reading, streaming]) {
      node.changeKey(key, { revokedAt: later(10).toISOString() })
    }
    expect((await node.ask(snapshotPath, reading)).status).toBe(401)
    node.pass(10_000)
    expect(node.delivery.takeKeyUses()).toEqual([use(reading, started), use(streaming, started)])
  })
})

describe('createKeyUses', () => {
  it('holds one note of a key, however many tokens of it are used', () => {
    const uses = createKeyUses()
    const key = { orgId: 'org_1', keyId: 'key_1' }
    for (let second = 0; second < 1_000; second += 1) uses.note(key, later(second).getTime())
    expect(uses.take()).toEqual([{ ...key, usedAt: later(999) }])
  })
})
