import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { renderMark } from '../../replica/mark.ts'
import { silentLog } from '../../telemetry/log.ts'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'
import { createDiskCache } from './disk-cache.ts'
import { nothingRemoved, type ReplicaChange } from './journal-page.ts'
import { createReadOnlyCache } from './read-only-cache.ts'

let writer: TestDelivery
let reader: TestDelivery
let headers: Record<string, string>

/** Opens a process that writes the disk cache of a node, and one that leaves it to that. */
beforeEach(async () => {
  writer = await openTestDelivery()
  const { publisher, rootKey, dataDir, keyCache } = writer
  const deps = { readsDiskOnly: true }
  reader = await openTestDelivery({ publisher, rootKey, dataDir, keyCache, deps })
  headers = writer.addKey('b2m').headers
})
afterEach(async () => {
  await reader.stop()
  await writer.close()
})

const statusOf = async (version: number) =>
  (await reader.ask(`${snapshotPath}/${version}`, { headers })).status

describe('a process that leaves the disk cache to another one of its node', () => {
  it('writes nothing, also when it stops', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-read-only-'))
    const { publisher, rootKey } = writer
    const deps = { readsDiskOnly: true }
    const alone = await openTestDelivery({ publisher, rootKey, dataDir, deps })
    alone.addKey('b2m')
    await alone.publish({ public: { theme: 'dark' } })
    await alone.stop()
    const names = await readdir(dataDir, { recursive: true })
    await rm(dataDir, { recursive: true })
    expect(names.filter((name) => /\.\w+$/.test(name))).toEqual([])
  })

  it('finds older versions that the other has written, and none that show a later secret', async () => {
    for (const theme of ['one', 'two', 'three']) {
      await writer.publish({ public: { theme } })
      await writer.delivery.flush()
    }
    await reader.delivery.refresh()
    writer.publisher.setAway(true)
    expect([await statusOf(1), await statusOf(2)]).toEqual([200, 200])
    writer.publisher.setAway(false)
    writer.publisher.publishBrowser({ ...testSnapshot, public: {} })
    writer.publisher.forgetBefore(testSnapshot, 2)
    await reader.delivery.refresh()
    // The other has removed nothing yet.
    writer.publisher.setAway(true)
    expect([await statusOf(1), await statusOf(2)]).toEqual([404, 200])
  })
})

describe('a change of a node without a database', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'signalbox-read-only-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  const changeOf = (counter: number, index: string): ReplicaChange => ({
    mark: {
      text: renderMark({ epoch: 1, counter, index: index.repeat(43), atMs: 1 }),
      signatures: '',
    },
    records: [],
    removed: nothingRemoved,
  })
  const open = async () => {
    const disk = createDiskCache({ dataDir, log: silentLog })
    await disk.load()
    return disk
  }

  it('is served by a process that leaves the disk to another one once that has written it', async () => {
    const disk = await open()
    const waiting = createReadOnlyCache(disk, 600_000)
    const served: string[] = []
    const serve = async (change: ReplicaChange, name: string) => {
      await waiting.writeAhead(change)
      served.push(name)
    }
    const first = serve(changeOf(1, 'a'), 'first')
    expect(await disk.hasWritten(changeOf(1, 'a').mark)).toBe(false)
    expect(served).toEqual([])
    await disk.writeAhead(changeOf(1, 'a'))
    await first
    // Signed anew with the same content, which the other has not written again.
    await serve(changeOf(2, 'a'), 'signed anew')
    const later = serve(changeOf(3, 'b'), 'later')
    expect(await disk.hasWritten(changeOf(3, 'b').mark)).toBe(false)
    expect(served).toEqual(['first', 'signed anew'])
    // The other is further already.
    await disk.writeAhead(changeOf(4, 'c'))
    await later
    expect(served).toEqual(['first', 'signed anew', 'later'])
  })

  it('is served all the same when the other writes nothing', async () => {
    const waiting = createReadOnlyCache(await open(), 1)
    await waiting.writeAhead(changeOf(1, 'a'))
    expect(await waiting.hasWritten(changeOf(1, 'a').mark)).toBe(false)
  })
})
