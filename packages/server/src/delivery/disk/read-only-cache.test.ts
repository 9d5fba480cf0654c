import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openTestDelivery,
  snapshotPath,
  testSnapshot,
  type TestDelivery,
} from '../testing/test-delivery.ts'

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
