import { cpSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenPattern } from '@signalbox/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPublisherKey, renderSignatures, signText } from '../../crypto/publisher-key.ts'
import { generateRootKey } from '../../crypto/root-key.ts'
import { createApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { createFakePublisher } from '../testing/fake-publisher.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import { UpstreamError, type Upstream } from './upstream.ts'

const rootKey = generateRootKey()
const publisherKey = createPublisherKey(Buffer.alloc(32, 7))

let directory: string
let opened: TestDelivery[] = []
let epoch: number
let origin: TestDelivery
let relayKey: ReturnType<TestDelivery['addKey']>
let reader: ReturnType<TestDelivery['addKey']>

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-crash-'))
  epoch = 1
  origin = await openTestDelivery({
    rootKey,
    publisher: createFakePublisher(rootKey),
    deps: {
      replicaSigner: () => ({
        generation: epoch,
        epoch,
        signText: (text) => renderSignatures(signText([publisherKey], text)),
      }),
    },
  })
  opened.push(origin)
  relayKey = origin.addKey('rly', { environmentIds: [testSnapshot.environmentId] })
  reader = origin.addKey('b2m')
  await origin.publish({ public: { theme: 'first' } })
})

afterEach(async () => {
  for (const delivery of opened.toReversed()) await delivery.stop()
  opened = []
  await rm(directory, { recursive: true, force: true })
})

const fromOrigin = async (path: string) => {
  const { status, text } = await origin.ask(path, { headers: relayKey.headers })
  if (status !== 200) throw new Error(`${status}`)
  return text
}
const away = () => Promise.reject(new UpstreamError('It is away.'))

/** Opens a node on a disk. Without `read` what feeds it is away. */
async function openNode(name: string, read: (path: string) => Promise<string> = away) {
  const upstream: Upstream = {
    publicKeys: [publisherKey.publicKey],
    host: 'upstream',
    keyHandle: tokenPattern.exec(relayKey.token)?.[2],
    readMark: () => read('/replica/mark'),
    readObject: ({ sha256 }) => read(`/replica/objects/${sha256}`),
    follow: () => () => {},
  }
  const dataDir = join(directory, name)
  const keyCache = createApiKeyCache()
  // Only what a test asks for is read.
  const deps = { upstream, upstreamPollMs: 600_000 }
  const node = await openTestDelivery({ rootKey, dataDir, keyCache, deps })
  opened.push(node)
  await node.delivery.settled()
  return node
}

/** Has a node read what is new. */
async function refresh(node: TestDelivery): Promise<void> {
  for (const each of opened) each.pass(1_001)
  await node.delivery.refresh()
}

/** Copies the disk as a crash leaves it at this moment, and returns the name of the copy. */
function crash({ dataDir }: TestDelivery): string {
  const name = `crashed-${opened.length}`
  cpSync(dataDir, join(directory, name), { recursive: true })
  return name
}

async function read(node: TestDelivery, { headers } = reader): Promise<string> {
  const { status, text } = await node.ask(snapshotPath, { headers })
  return `${status} ${text}`
}

async function readDisk(node: TestDelivery): Promise<unknown> {
  const answer = await node.ask('/readyz')
  return (answer.json() as { readonly disk: unknown }).disk
}

describe('a node without a database that crashes right after it has served something new', () => {
  it('serves it from its disk, whichever of several changes it was', async () => {
    const node = await openNode('node', fromOrigin)
    for (const theme of ['second', 'third', 'fourth']) {
      await origin.publish({ public: { theme } })
      await refresh(node)
      const name = crash(node)
      expect(await read(node)).toContain(theme)
      expect(await read(await openNode(name))).toBe(await read(node))
    }
    // And once more, from what a crash of a crashed node leaves.
    const again = await openNode(crash(await openNode(crash(node))))
    expect(await read(again)).toContain('fourth')
  })

  it('serves neither what was deleted, nor to a key that was revoked', async () => {
    const node = await openNode('node', fromOrigin)
    origin.changeKey(reader.key, { revokedAt: '2026-01-01T00:00:00Z' })
    await refresh(node)
    expect(await read(await openNode(crash(node)))).toMatch(/^401/)
    const other = origin.addKey('b2m')
    await refresh(node)
    expect(await read(await openNode(crash(node)), other)).toContain('first')
    origin.publisher.remove(testSnapshot)
    await origin.delivery.refresh()
    await refresh(node)
    const crashed = await openNode(crash(node))
    expect([await read(node, other), await read(crashed, other)]).toEqual([
      expect.stringMatching(/^404/),
      expect.stringMatching(/^(404|503)/),
    ])
  })

  it('believes no older mark than the one that it has served', async () => {
    const before = new Map<string, string>()
    const node = await openNode('node', async (path) => {
      const text = await fromOrigin(path)
      before.set(path, text)
      return text
    })
    await origin.publish({ public: { theme: 'second' } })
    const older = new Map(before)
    await refresh(node)
    const crashed = await openNode(crash(node), async (path) => older.get(path) ?? fromOrigin(path))
    await expect(refresh(crashed)).rejects.toThrow('older')
    expect(await read(crashed)).toContain('second')
  })

  it('serves the restored state of another epoch, although its versions are lower', async () => {
    await origin.publish({ public: { theme: 'second' } })
    const node = await openNode('node', fromOrigin)
    origin.publisher.beginAgain()
    epoch = 2
    await origin.publish({ public: { theme: 'restored' } })
    await refresh(node)
    const crashed = await openNode(crash(node))
    expect(await read(crashed)).toBe(await read(node))
    expect(await read(crashed)).toContain('restored')
  })

  it('writes a change to one file, and removes that once the files of the snapshots have it', async () => {
    const node = await openNode('node', fromOrigin)
    await node.delivery.flush()
    const list = () => listFiles(node, 'journal')
    // It says that no earlier one is needed.
    expect(await list()).toHaveLength(1)
    await origin.publish({ public: { theme: 'second' } })
    await refresh(node)
    await node.delivery.flush()
    expect(await list()).toHaveLength(1)
    expect(await read(await openNode(crash(node)))).toContain('second')
  })

  it('writes nothing anew of what its disk has', async () => {
    const first = await openNode('node', fromOrigin)
    await first.stop()
    opened = opened.filter((each) => each !== first)
    const before = await listFiles(first, 'browser')
    const restarted = await openNode('node', fromOrigin)
    await restarted.delivery.flush()
    expect(before.length).toBeGreaterThan(0)
    expect(await listFiles(restarted, 'browser')).toEqual(before)
  })

  it('serves what is new where its disk cannot be written, and says so', async () => {
    const node = await openNode('node', fromOrigin)
    await node.delivery.flush()
    expect(await readDisk(node)).toEqual({ ok: true })
    const journal = join(node.dataDir, 'delivery/journal')
    await rm(journal, { recursive: true })
    await writeFile(journal, '')
    await origin.publish({ public: { theme: 'second' } })
    await refresh(node)
    expect([await read(node), await readDisk(node)]).toEqual([
      expect.stringContaining('second'),
      { ok: false },
    ])
    await rm(journal)
    await origin.publish({ public: { theme: 'third' } })
    await refresh(node)
    expect(await readDisk(node)).toEqual({ ok: true })
    expect(await read(await openNode(crash(node)))).toContain('third')
  })
})

/** Lists the files of a folder of the disk cache with their numbers on the disk: one that is written anew has another. */
async function listFiles({ dataDir }: TestDelivery, folder: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'delivery', folder), {
    recursive: true,
    withFileTypes: true,
  })
  const files = entries.filter((each) => each.isFile())
  const listed = files.map(async ({ parentPath, name }) => {
    const { ino } = await stat(join(parentPath, name))
    return `${parentPath}/${name} ${ino}`
  })
  return (await Promise.all(listed)).toSorted()
}
