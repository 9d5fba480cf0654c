import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPublisherKey, renderSignatures, signText } from '../../crypto/publisher-key.ts'
import { createApiKeyCache } from '../../identity/key-cache/api-key-cache.ts'
import { parseReplicaFile, renderReplicaFile, type ReplicaFile } from '../../replica/file.ts'
import { writeWholeFile } from '../../store/whole-file.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import { openFileUpstream } from './file-upstream.ts'
import { readReplica } from './read-replica.ts'
import type { Upstream } from './upstream.ts'

const publisherKey = createPublisherKey(Buffer.alloc(32, 7))
const publisherKeys = [publisherKey.publicKey]

let directory: string
let file: string
let origin: TestDelivery
let opened: TestDelivery[] = []
let browser: ReturnType<TestDelivery['addKey']>
let upstream: Upstream

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-file-upstream-'))
  file = join(directory, 'values.replica')
  const signer = {
    generation: 1,
    epoch: 1,
    signText: (text: string) => renderSignatures(signText([publisherKey], text)),
  }
  origin = await openTestDelivery({ deps: { replicaSigner: () => signer } })
  opened = [origin]
  browser = origin.addKey('b2m')
  const { headers } = origin.addKey('rly', { environmentIds: [testSnapshot.environmentId] })
  const read = async (path: string) => (await origin.ask(path, { headers })).text
  upstream = {
    publicKeys: publisherKeys,
    host: 'origin',
    keyHandle: undefined,
    readMark: () => read('/replica/mark'),
    readObject: ({ sha256 }) => read(`/replica/objects/${sha256}`),
    follow: () => () => {},
  }
})

afterEach(async () => {
  for (const delivery of opened.toReversed()) await delivery.stop()
  await rm(directory, { recursive: true, force: true })
})

async function exportStep(step: string): Promise<ReplicaFile> {
  await origin.publish({ public: { step } })
  for (const each of opened) each.pass(10_000)
  return readReplica(upstream, new Date('2026-11-21T06:00:00Z'))
}
const write = (replica: ReplicaFile) =>
  writeWholeFile(directory, 'values.replica', renderReplicaFile(replica))

async function openRelay(name = 'relay') {
  const relay = await openTestDelivery({
    dataDir: join(directory, name),
    keyCache: createApiKeyCache(),
    deps: { upstream: openFileUpstream({ file, publisherKeys }) },
  })
  opened.push(relay)
  return relay
}

const refresh = (relay: TestDelivery) =>
  relay.delivery.refresh().then(
    () => 'read',
    (error: Error) => error.message,
  )
const stepAt = async (relay: TestDelivery) =>
  /"step":"(\w+)"/.exec((await relay.ask(snapshotPath, { headers: browser.headers })).text)?.[1]

const refused = expect.stringContaining('is not believed')

/** Returns a text whose last letter or digit is another one. */
function flipLast(text: string): string {
  return text.replace(/[a-zA-Z0-9](?=[^a-zA-Z0-9]*$)/, (last) => (last === 'x' ? 'y' : 'x'))
}

describe('a replica in a file', () => {
  it('comes back as it was rendered', async () => {
    const replica = await exportStep('first')
    expect(parseReplicaFile(renderReplicaFile(replica))).toEqual(replica)
    expect(parseReplicaFile(`${renderReplicaFile(replica)}\n`)).toBeUndefined()
  })

  it('feeds a relay, which says how old it is, and a newer one takes its place', async () => {
    await write(await exportStep('first'))
    const relay = await openRelay()
    expect([await refresh(relay), await stepAt(relay)]).toEqual(['read', 'first'])
    relay.pass(3_600_000)
    const ready = (await relay.ask('/readyz')).json()
    expect(ready).toMatchObject({ ready: true, snapshots: { ageSeconds: 3_590 } })
    await write(await exportStep('second'))
    expect([await refresh(relay), await stepAt(relay)]).toEqual(['read', 'second'])
  })

  it('is refused with another byte, whether its copy was damaged or somebody has changed it', async () => {
    const replica = await exportStep('first')
    await write(replica)
    const whole = await readFile(file, 'utf8')
    await writeFile(file, whole.replace('first', 'farst'))
    expect(await refresh(await openRelay('damaged'))).toContain('Copy it again')
    for (const [name, text] of replica.objects) {
      const objects = new Map(replica.objects).set(name, flipLast(text))
      await write({ ...replica, objects })
      expect([name, await refresh(await openRelay(name))]).toEqual([name, refused])
    }
    // Control: as it was written, it is believed.
    await write(replica)
    expect(await refresh(await openRelay())).toBe('read')
  })

  it('is not read without one of its parts', async () => {
    const replica = await exportStep('first')
    for (const name of replica.objects.keys()) {
      const objects = new Map(replica.objects)
      objects.delete(name)
      await write({ ...replica, objects })
      expect(await refresh(await openRelay(name))).toContain('does not hold')
    }
  })
})
