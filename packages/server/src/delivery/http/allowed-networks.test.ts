import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClientAddress } from '../../http/admission/client-address.ts'
import { parseApiKeyRows } from '../../identity/key-cache/saved-api-keys.ts'
import { openSyncListener } from '../flagd-sync/sync-listener.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'

let test: TestDelivery
const inside = { 'x-forwarded-for': '203.0.113.7' }
const outside = { 'x-forwarded-for': '198.51.100.1' }
const allowedNetworks = ['203.0.113.0/24']

beforeEach(async () => {
  // Everybody here comes through a proxy on this machine.
  test = await openTestDelivery({ deps: { clientAddress: createClientAddress(['127.0.0.1']) } })
  await test.publish({ featureFlags: { darkMode: true }, flagSources: { darkMode: 'set' } })
})
afterEach(() => test.close())

const forbidden = [403, expect.objectContaining({ code: 'network_forbidden' })]
const streamPath = `${snapshotPath}/stream`

async function answerTo(path: string, headers: Record<string, string>, request: object = {}) {
  const answer = await test.ask(path, { headers, ...request })
  return [answer.status, answer.status === 403 ? answer.json() : undefined]
}

/** Calls `FetchAllFlags` of flagd's sync service on this delivery. */
async function fetchAll(headers: Record<string, string>) {
  const listener = await openSyncListener({
    answer: test.delivery.answerSync(),
    host: '127.0.0.1',
    port: 0,
    metrics: { recordRefusedConnection() {} },
    drainMs: 200,
  })
  const client = new Client(`127.0.0.1:${listener.port}`, credentials.createInsecure())
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  const raw = (bytes: Buffer) => bytes
  const code = await new Promise<[number, string]>((resolve) => {
    client.makeUnaryRequest(
      '/flagd.sync.v1.FlagSyncService/FetchAllFlags',
      raw,
      raw,
      Buffer.alloc(0),
      metadata,
      (error: ServiceError | null) => resolve([error?.code ?? 0, error?.details ?? '']),
    )
  })
  client.close()
  await listener.close()
  return code
}

describe('a key with allowed networks, at the delivery', () => {
  it('reads from them, and from nowhere else, and learns its address', async () => {
    for (const kind of ['b2m', 'm2m'] as const) {
      const { headers } = test.addKey(kind, { allowedNetworks })
      // Twice: the second time the key is remembered.
      for (let round = 0; round < 2; round += 1) {
        expect(await answerTo(snapshotPath, { ...headers, ...inside })).toEqual([200, undefined])
        expect(await answerTo(snapshotPath, { ...headers, ...outside })).toEqual(forbidden)
      }
      const refused = await test.ask(snapshotPath, { headers: { ...headers, ...outside } })
      expect(refused.text).toContain('198.51.100.1')
    }
    const { headers } = test.addKey('m2m')
    expect(await answerTo(snapshotPath, { ...headers, ...outside })).toEqual([200, undefined])
  })

  it('is bound to them in each form: OFREP, flagd, access tokens, flagd’s sync, the feed of relays', async () => {
    const added = test.addKey('m2m', {
      allowedNetworks,
      environmentIds: [testSnapshot.environmentId],
    })
    const accessToken = await test.issueAccessToken(added)
    const relay = test.addKey('rly', {
      allowedNetworks,
      environmentIds: [testSnapshot.environmentId],
    })
    const organization = `/organizations/${testSnapshot.orgId}/config`
    const json = { method: 'POST', body: '{"context":{}}' }
    const type = { 'content-type': 'application/json' }
    const asks = [
      [`${organization}/values?environment=production`, added.headers, {}],
      [`${organization}/flagd?environment=production`, added.headers, {}],
      ['/ofrep/v1/evaluate/flags', { ...added.headers, ...type }, json],
      [snapshotPath, { authorization: `Bearer ${accessToken}` }, {}],
      [streamPath, added.headers, {}],
      ['/replica/mark', relay.headers, {}],
      ['/replica/stream', relay.headers, {}],
    ] as const
    for (const [path, headers, request] of asks) {
      if (path.startsWith('/ofrep')) continue
      expect([path, await answerTo(path, { ...headers, ...outside }, request)]).toEqual([
        path,
        forbidden,
      ])
    }
    for (const [path, headers, request] of asks) {
      if (path.endsWith('/stream')) continue
      const [status] = await answerTo(path, { ...headers, ...inside }, request)
      expect([path, status]).not.toEqual([path, 403])
    }
    const ofrep = asks.find(([path]) => path.startsWith('/ofrep'))
    const byOfrep = await test.ask(ofrep?.[0] ?? '', {
      ...ofrep?.[2],
      headers: { ...ofrep?.[1], ...outside },
    })
    expect([byOfrep.status, byOfrep.text]).toEqual([403, expect.stringContaining('198.51.100.1')])
    const [code, details] = await fetchAll({ ...added.headers, ...outside })
    expect([code, details]).toEqual([7, expect.stringContaining('198.51.100.1')])
    expect(await fetchAll({ ...added.headers, ...inside })).toEqual([0, ''])
  })

  it('loses its open streams when its networks change, and opens them again from the new ones', async () => {
    const { headers, key } = test.addKey('m2m', { allowedNetworks: ['198.51.100.0/24'] })
    const other = test.addKey('m2m')
    const stream = await test.stream(streamPath, { ...headers, ...outside })
    const kept = await test.stream(streamPath, { ...other.headers, ...outside })
    await Promise.all([stream.until(/id: 1\n/), kept.until(/id: 1\n/)])
    test.changeKey(key, { allowedNetworks })
    test.pass(11_000)
    await stream.ended
    expect(await answerTo(streamPath, { ...headers, ...outside })).toEqual(forbidden)
    const again = await test.stream(streamPath, { ...headers, ...inside })
    await again.until(/id: 1\n/)
    // Control: a stream of another key goes on.
    await test.publish({ public: { a: 2 } })
    await kept.until(/id: 2\n/)
    again.close()
    kept.close()
  })

  it('reads keys that were saved before there were networks as keys for everywhere', () => {
    const { key } = test.addKey('m2m', { allowedNetworks })
    const { allowedNetworks: _, ...older } = key
    const rows = { organizations: [], keys: [older, key], secrets: [], signingKeys: [] }
    expect(parseApiKeyRows(rows).keys.map((each) => each.allowedNetworks)).toEqual([
      null,
      allowedNetworks,
    ])
  })
})
