import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPublisherKey, renderSignatures, signText } from '../../crypto/publisher-key.ts'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createEgress, type Egress } from '../../egress/create-egress.ts'
import { createApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { renderReport, type ReplicaReport, type ReportSource } from '../../replica/report.ts'
import { createFakePublisher } from '../testing/fake-publisher.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import { openHttpsUpstream } from './https-upstream.ts'
import type { Upstream } from './upstream.ts'

const rootKey = generateRootKey()
const publisherKey = createPublisherKey(Buffer.alloc(32, 7))
const hourMs = 3_600_000

let directory: string
let egress: Egress
let opened: TestDelivery[] = []
let origin: TestDelivery
let relayKey: ReturnType<TestDelivery['addKey']>
let reports: (readonly [ReplicaReport, ReportSource])[]

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-https-upstream-'))
  egress = createEgress({ allow: ['127.0.0.1', 'upstream.test'] })
  reports = []
  origin = await openTestDelivery({
    rootKey,
    publisher: createFakePublisher(rootKey),
    deps: {
      replicaSigner: () => ({
        generation: 1,
        epoch: 1,
        signText: (text) => renderSignatures(signText([publisherKey], text)),
      }),
      recordReport: (...report) => void reports.push(report),
    },
  })
  opened.push(origin)
  relayKey = origin.addKey('rly', { environmentIds: [testSnapshot.environmentId] })
  await origin.publish({ public: { step: 'first' } })
})

afterEach(async () => {
  for (const delivery of opened.toReversed()) await delivery.stop()
  opened = []
  await egress.close()
  await rm(directory, { recursive: true, force: true })
})

interface RelayOptions {
  readonly pollMs?: number
  readonly change?: (upstream: Upstream) => Partial<Upstream>
}

/** Opens a relay that asks `upstreamOf()` at the time of each request. It polls once, and then as often as asked for. */
async function openRelay(
  upstreamOf: () => TestDelivery,
  { pollMs = hourMs, change = () => ({}) }: RelayOptions = {},
) {
  const rewrite = (url: string) =>
    url.replace('http://upstream.test', `http://127.0.0.1:${upstreamOf().port}`)
  const upstream = openHttpsUpstream({
    url: 'http://upstream.test',
    key: relayKey.token,
    publisherKeys: [publisherKey.publicKey],
    egress: {
      request: (url, options) => egress.request(rewrite(url), options),
      follow: (url, options) => egress.follow(rewrite(url), options),
    },
  })
  const relay = await openTestDelivery({
    rootKey,
    dataDir: join(directory, `relay-${opened.length}`),
    keyCache: createApiKeyCache(),
    deps: {
      upstream: { ...upstream, ...change(upstream) },
      upstreamPollMs: pollMs,
      way: upstream.way,
    },
  })
  opened.push(relay)
  await relay.delivery.refresh()
  return relay
}

const readAt = async (node: TestDelivery) =>
  (await node.ask(snapshotPath, { headers: browserKey().headers })).text
let added: ReturnType<TestDelivery['addKey']> | undefined
const browserKey = () => (added ??= origin.addKey('b2m'))
beforeEach(() => {
  added = undefined
  browserKey()
})

async function failureOf(node: TestDelivery): Promise<string> {
  const { upstream } = (await node.ask('/readyz')).json() as { upstream: { detail: string } }
  return upstream.detail
}

describe('the stream of marks', () => {
  it('brings a change and a revoked key to a relay, and to the relay that it feeds', async () => {
    const first = await openRelay(() => origin)
    const second = await openRelay(() => first)
    await origin.publish({ public: { step: 'second' } })
    await expect.poll(() => readAt(second)).toContain('second')
    origin.changeKey(browserKey().key, { revokedAt: '2026-01-01T00:00:00Z' })
    await expect.poll(() => readAt(second)).toContain('revoked_credentials')
  })

  it('is not needed: without it the mark is asked for at each interval', async () => {
    const change = () => ({ follow: () => () => {} })
    const asking = await openRelay(() => origin, { change, pollMs: 20 })
    const waiting = await openRelay(() => origin, { change })
    await origin.publish({ public: { step: 'second' } })
    await expect.poll(() => readAt(asking)).toContain('second')
    // Control: the one that asks too rarely has the change only when it is told to ask.
    expect(await readAt(waiting)).toContain('first')
    await waiting.delivery.refresh()
    expect(await readAt(waiting)).toContain('second')
  })

  it('is for relay keys, says nothing of the change, and ends when its node stops', async () => {
    const { headers } = origin.addKey('m2m')
    expect((await origin.stream('/replica/stream', headers)).status).toBe(403)
    const stream = await origin.stream('/replica/stream', relayKey.headers)
    expect([stream.status, stream.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    await origin.publish({ public: { step: 'second' } })
    expect(await stream.until(/event: mark/)).toMatch(/^retry: \d+\n\nevent: mark\ndata: \{\}\n\n$/)
    origin.delivery.drain(0)
    await stream.ended
    expect(stream.text()).toMatch(/\n\nretry: \d+\n\n$/)
  })

  it('is refused at a relay that may not pass on what the key reads', async () => {
    const relay = await openRelay(() => origin)
    const wide = origin.addKey('rly', { environmentIds: [testSnapshot.environmentId] })
    const narrow = origin.addKey('rly', { environmentIds: ['env_other'] })
    await expect
      .poll(async () => (await relay.ask('/replica/mark', { headers: wide.headers })).status)
      .toBe(200)
    await relay.delivery.refresh()
    expect((await relay.stream('/replica/stream', narrow.headers)).status).toBe(404)
  })
})

describe('relays that feed each other', () => {
  it('say so, serve what they have, and follow again once one of them is fed by another', async () => {
    let above = origin
    const first = await openRelay(() => above, { pollMs: 20 })
    const second = await openRelay(() => first)
    above = second
    for (const relay of [first, second]) {
      await expect(relay.delivery.refresh()).rejects.toThrow('is fed by this relay')
    }
    await expect.poll(() => failureOf(first)).toContain('Set SIGNALBOX_UPSTREAM_URL')
    expect(await readAt(second)).toContain('first')
    above = origin
    await first.delivery.refresh()
    // Control: a way without the own id is one that relays may be fed on.
    await second.delivery.refresh()
  })
})

describe('the report of a relay', () => {
  const report: ReplicaReport = {
    nodes: [],
    uses: [{ orgId: testSnapshot.orgId, keyId: 'key_1', usedAtMs: 1 }],
  }
  const send = (headers: Readonly<Record<string, string>>, body = renderReport(report)) =>
    origin.ask('/replica/report', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })

  it('is taken with the scope of its key', async () => {
    expect((await send(relayKey.headers)).status).toBe(204)
    const environmentIds = new Set([testSnapshot.environmentId])
    const scope = { orgIds: new Set([testSnapshot.orgId]), environmentIds }
    expect(reports).toEqual([[report, { reporter: relayKey.key.id, scope }]])
  })

  it('is refused from other keys, in another form, and where nobody records it', async () => {
    expect((await send(origin.addKey('m2m').headers)).status).toBe(403)
    expect((await send(relayKey.headers, '{"nodes":1}')).status).toBe(422)
    expect((await origin.ask('/replica/report', { headers: relayKey.headers })).status).toBe(405)
    const relay = await openRelay(() => origin)
    const { status } = await relay.ask('/replica/report', {
      method: 'POST',
      headers: { ...relayKey.headers, 'content-type': 'application/json' },
      body: renderReport(report),
    })
    expect([status, reports]).toEqual([404, []])
  })
})
