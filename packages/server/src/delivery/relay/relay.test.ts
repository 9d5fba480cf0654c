import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenPattern } from '@signalbox/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { createPublisherKey, renderSignatures, signText } from '../../crypto/publisher-key.ts'
import { generateRootKey } from '../../crypto/root-key.ts'
import { newToken } from '../../crypto/tokens.ts'
import { createApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { createTokenVerifier } from '../../identity/verify-token.ts'
import { createFakePublisher } from '../testing/fake-publisher.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import { createUpstreamKeys } from './ask-upstream-for-keys.ts'
import type { ReplicaSigner } from './replica-record.ts'

const rootKey = generateRootKey()
const publisherKey = createPublisherKey(Buffer.alloc(32, 7))
const otherKey = createPublisherKey(Buffer.alloc(32, 8))
const values = {
  public: { greeting: 'Grüße 🎉' },
  featureFlags: { beta: true },
  secret: { stripeKey: 'sk_live_canary' },
}
const staging = {
  ...testSnapshot,
  environmentId: newId('env', new Date()),
  environment: 'staging',
}
const stagingPath = `/snapshots/${staging.schemaId}/${staging.environmentId}`

let directory: string
let opened: TestDelivery[] = []
let signer: ReplicaSigner
let origin: TestDelivery
let relayKey: ReturnType<TestDelivery['addKey']>
/** Stands between a relay and its upstream. */
let alter: (text: string, path: string, upstream: TestDelivery) => string
/** Holds answers by path that are given again, instead of the upstream's own. */
let replayed: Map<string, string>
/** Returns the moment up to which the origin knows every key. */
let keysReadAt: (() => Date) | undefined
/** The clock of the nodes; undefined: one that stands still but for `pass`. */
let now: (() => Date) | undefined

const signWith = (key: typeof publisherKey, epoch = 1, generation = 1): ReplicaSigner => ({
  generation,
  epoch,
  signText: (text) => renderSignatures(signText([key], text)),
})

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-relay-'))
  alter = (text) => text
  replayed = new Map()
  keysReadAt = undefined
  now = undefined
  signer = signWith(publisherKey)
  await openOrigin()
})

afterEach(async () => {
  for (const delivery of opened.toReversed()) await delivery.stop()
  opened = []
  await rm(directory, { recursive: true, force: true })
})

async function openOrigin() {
  origin = await openTestDelivery({
    rootKey,
    now,
    publisher: createFakePublisher(rootKey),
    deps: { replicaSigner: () => signer, keysReadAt: () => keysReadAt?.() ?? origin.now() },
  })
  opened.push(origin)
  relayKey = origin.addKey('rly', { environmentIds: [testSnapshot.environmentId] })
  await origin.publish(values)
}

async function stop(node: TestDelivery) {
  await node.delivery.flush()
  await node.stop()
  opened = opened.filter((each) => each !== node)
}

/** Opens a relay of `upstream`, which has read everything unless that fails. */
async function openRelay(
  upstream = origin,
  name = 'relay',
  { key = relayKey, limitMs = 3_000 } = {},
) {
  const read = async (path: string) => {
    const kept = replayed.get(path)
    if (kept !== undefined) return kept
    const { status, text } = await upstream.ask(path, { headers: key.headers })
    if (status !== 200) throw new Error(`${status}`)
    return alter(text, path, upstream)
  }
  const keyCache = createApiKeyCache()
  const relay: TestDelivery = await openTestDelivery({
    rootKey,
    now,
    dataDir: join(directory, name),
    keyCache,
    deps: {
      verifier: createTokenVerifier({
        keyCache,
        readNewKeys: createUpstreamKeys({
          delivery: () => relay.delivery,
          now: () => relay.now(),
          limitMs,
        }),
        now: () => new Date(),
      }),
      upstream: {
        publicKeys: [publisherKey.publicKey],
        host: 'upstream',
        keyHandle: tokenPattern.exec(key.token)?.[2],
        readMark: () => read('/replica/mark'),
        readObject: ({ sha256 }) => read(`/replica/objects/${sha256}`),
        follow: () => () => {},
      },
    },
  })
  opened.push(relay)
  await refresh(relay)
  return relay
}

/** Lets a second pass at every node, so that a new mark is signed, and reads it. Returns what went wrong. */
async function refresh(relay: TestDelivery): Promise<string> {
  for (const each of opened) each.pass(1_001)
  return relay.delivery.refresh().then(
    () => 'read',
    (error: Error) => error.message,
  )
}

async function read(node: TestDelivery, path: string, headers: Record<string, string>) {
  const { status, text, headers: got } = await node.ask(path, { headers })
  return { status, text, signature: got['signalbox-signature'], etag: got.etag }
}

describe('a relay', () => {
  it('refuses a key that it does not know once the origin has signed that it has read all keys since, and not before, also behind another relay', async () => {
    let aheadMs = 0
    const clock = (now = () => new Date(Date.now() + aheadMs))
    await openOrigin()
    const first = await openRelay()
    const [patient, hasty] = [
      await openRelay(first, 'patient', { limitMs: 60_000 }),
      await openRelay(first, 'hasty', { limitMs: 1_000 }),
    ]
    const askWith = async (last: TestDelivery, headers: { readonly authorization: string }) => {
      const answer = await last.ask(snapshotPath, { headers })
      return [answer.status, answer.headers['retry-after']]
    }
    // Longer than a node takes the clock of its publisher to be behind, where each mark takes its time to come.
    const passLong = () => (aheadMs += 10_000)
    const strange = { authorization: `Bearer ${newToken('b2m').token}` }
    const { headers } = origin.addKey('b2m')
    expect(await askWith(patient, headers)).toEqual([200, undefined])
    expect(await askWith(patient, strange)).toEqual([401, undefined])
    // The origin answers, and has read the database before the question.
    const readAt = clock()
    keysReadAt = () => readAt
    passLong()
    expect(await askWith(hasty, strange)).toEqual([503, '1'])
    keysReadAt = clock
    expect(await askWith(patient, strange)).toEqual([401, undefined])
    // The first relay cannot reach the origin, and answers the others all the same.
    alter = (text, _, upstream) => (upstream === origin ? '' : text)
    passLong()
    expect(await askWith(hasty, strange)).toEqual([503, '1'])
    expect(await askWith(hasty, headers)).toEqual([200, undefined])
  })

  it('says that its upstream is not well once the newest mark is a quarter of a minute old, although it answers', async () => {
    const relay = await openRelay()
    const upstream = async () => (await relay.ask('/readyz')).json()
    expect(await upstream()).toMatchObject({ ready: true, upstream: { ok: true, detail: null } })
    // Its mark was a second old when it read it.
    relay.pass(13_000)
    expect(await upstream()).toMatchObject({ upstream: { ok: true } })
    relay.pass(2_000)
    expect(await upstream()).toMatchObject({
      ready: true,
      upstream: {
        ok: false,
        detail: expect.stringMatching(/^upstream shows nothing newer than 16 s: /),
      },
    })
  })

  it.each(['b2m', 'm2m'] as const)('answers %s keys as its upstream does', async (kind) => {
    const { headers } = origin.addKey(kind)
    const relay = await openRelay()
    const answer = await read(relay, snapshotPath, headers)
    expect(answer).toEqual(await read(origin, snapshotPath, headers))
    expect([answer.status, typeof answer.signature]).toEqual([200, 'string'])
  })

  it('follows changes, deletions and revoked keys', async () => {
    const { headers, key } = origin.addKey('b2m')
    const relay = await openRelay()
    await origin.publish({ ...values, featureFlags: { beta: false } })
    expect(await refresh(relay)).toBe('read')
    expect((await read(relay, snapshotPath, headers)).text).toContain('"beta":false')
    origin.publisher.remove(testSnapshot)
    await origin.delivery.refresh()
    await refresh(relay)
    expect((await read(relay, snapshotPath, headers)).status).toBe(404)
    origin.changeKey(key, { revokedAt: '2026-01-01T00:00:00Z' })
    await refresh(relay)
    expect((await read(relay, snapshotPath, headers)).status).toBe(401)
  })

  it('has the environments of its key alone', async () => {
    origin.publisher.publishBrowser({ ...staging, ...values })
    await origin.delivery.refresh()
    const { headers } = origin.addKey('b2m')
    const relay = await openRelay()
    expect((await read(origin, stagingPath, headers)).status).toBe(200)
    expect((await read(relay, stagingPath, headers)).status).toBe(404)
    expect((await read(relay, snapshotPath, headers)).status).toBe(200)
  })

  it('feeds another relay, with a key that reaches as far', async () => {
    const { headers } = origin.addKey('b2m')
    const narrow = origin.addKey('rly', { environmentIds: [staging.environmentId] })
    const first = await openRelay()
    const second = await openRelay(first, 'second')
    expect(await read(second, snapshotPath, headers)).toEqual(
      await read(origin, snapshotPath, headers),
    )
    const answer = await first.ask('/replica/mark', { headers: narrow.headers })
    expect(answer.status).toBe(404)
  })

  it('starts from its disk while the upstream is away, and says how old it is', async () => {
    const { headers } = origin.addKey('m2m')
    await stop(await openRelay())
    alter = () => {
      throw new Error('away')
    }
    const relay = await openRelay()
    expect((await read(relay, snapshotPath, headers)).text).toContain('sk_live_canary')
    const ready = await relay.ask('/readyz')
    expect(ready.json()).toMatchObject({
      ready: true,
      snapshots: { loadedFrom: 'disk' },
      upstream: { ok: false },
    })
  })
})

describe('a relay whose upstream lies', () => {
  it('believes no answer with a changed character, and keeps what it has', async () => {
    const { headers } = origin.addKey('b2m')
    const relay = await openRelay()
    const before = await read(relay, snapshotPath, headers)
    for (const step of [1, 2, 3]) {
      await origin.publish({ ...values, public: { greeting: `changed ${step}` } })
      for (const part of ['mark', 'objects']) {
        alter = (text, path) =>
          path.includes(part) ? flip(text, (step * 7_919) % text.length) : text
        expect(await refresh(relay)).not.toBe('read')
        expect(await read(relay, snapshotPath, headers)).toEqual(before)
      }
    }
    alter = (text) => text
    expect(await refresh(relay)).toBe('read')
    expect((await read(relay, snapshotPath, headers)).text).toContain('changed 3')
  })

  it('believes no older mark, after a restart too', async () => {
    const before = new Map<string, string>()
    alter = (text, path) => {
      before.set(path, text)
      return text
    }
    const relay = await openRelay()
    alter = (text) => text
    await origin.publish({ ...values, featureFlags: { beta: false } })
    expect(await refresh(relay)).toBe('read')
    // Without the index too: whoever replays a mark need not have it.
    replayed = new Map([...before].filter(([path]) => path.includes('mark')))
    expect(await refresh(relay)).toContain('older')
    replayed = before
    expect(await refresh(relay)).toContain('older')
    await stop(relay)
    const restarted = await openRelay()
    expect(await refresh(restarted)).toContain('older')
    // Control: a node that has seen nothing newer believes it.
    expect(await refresh(await openRelay(origin, 'new'))).toBe('read')
  })

  it('believes nothing that another key has signed', async () => {
    const { headers } = origin.addKey('b2m')
    signer = signWith(otherKey, 1, 2)
    const relay = await openRelay()
    expect(await refresh(relay)).toContain('signature')
    expect((await read(relay, snapshotPath, headers)).status).not.toBe(200)
  })
})

describe('a relay key', () => {
  it('reads nothing but what feeds a relay, and no other key reads that', async () => {
    const other = origin.addKey('m2m')
    for (const path of [snapshotPath, `${snapshotPath}/stream`, `${snapshotPath}/1`]) {
      expect([path, (await origin.ask(path, { headers: relayKey.headers })).status]).toEqual([
        path,
        403,
      ])
    }
    for (const path of ['/replica/mark', `/replica/objects/${'a'.repeat(43)}`]) {
      expect([path, (await origin.ask(path, { headers: other.headers })).status]).toEqual([
        path,
        403,
      ])
      expect((await origin.ask(path)).status).toBe(401)
    }
  })
})

/** Returns a text with another character at a position, which no reader takes for the same. */
function flip(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`
}
