import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import type { Store } from '../../store/store.ts'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { silentLog } from '../../telemetry/log.ts'
import { toBrowserItem, type BrowserItem } from '../browser/browser-item.ts'
import { createFeed, type Feed, type PublishedSource } from './feed.ts'
import { snapshotKeyOf } from './published.ts'
import { findChanges, listBrowserRows, listServerRows } from './rows.ts'
import type { BrowserRow } from '../browser/browser-item.ts'
import type { ServerRow } from '../server/server-item.ts'
import { createSnapshotStore } from './snapshot-store.ts'

let test: TestStore
let orgId: string
const feeds: Feed[] = []
const moment = new Date('2026-11-21T06:00:00.000Z')

beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test.close())
afterEach(() => {
  for (const feed of feeds.splice(0)) feed.close()
})

async function newSnapshot() {
  orgId = newId('org', moment)
  await test.asOwner(`insert into organizations (id, slug, name) values ($1, $1, 'Acme')`, [orgId])
  return { orgId, schemaId: newId('sch', moment), environmentId: newId('env', moment) }
}

type Snapshot = Awaited<ReturnType<typeof newSnapshot>>

function columnsOf(
  { orgId, schemaId, environmentId }: Snapshot,
  version: number,
  body: string | null,
) {
  return [orgId, schemaId, environmentId, version, 'web', 'production', `tag${version}`, body]
}

const insertSql = (table: string) => `insert into ${table}
  (org_id, schema_id, environment_id, version, schema_name, environment_name, etag, body)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

/** Commits one version for both audiences, as a write does. */
async function publish(snapshot: Snapshot, version: number): Promise<void> {
  const body = JSON.stringify({ public: { version }, featureFlags: {} })
  await test.store.transaction({ orgId: snapshot.orgId }, async (tx) => {
    for (const table of ['browser_snapshots', 'server_snapshots']) {
      await tx.query({
        name: `insert-${table}`,
        text: insertSql(table),
        values: columnsOf(snapshot, version, body),
      })
    }
  })
}

/** Deletes a pair as a write does: its rows go, and one without a body comes. */
async function unpublish(snapshot: Snapshot, version: number): Promise<void> {
  await test.store.transaction({ orgId: snapshot.orgId }, async (tx) => {
    for (const table of ['browser_snapshots', 'server_snapshots']) {
      const text = `delete from ${table} where schema_id = $1`
      await tx.query({ name: `delete-${table}`, text, values: [snapshot.schemaId] })
      await tx.query({
        name: `insert-${table}`,
        text: insertSql(table),
        values: columnsOf(snapshot, version, null),
      })
    }
  })
}

type Source = PublishedSource<BrowserRow, ServerRow>

function follow(change: (source: Source, store: Store) => Partial<Source> = () => ({})) {
  const browser = createSnapshotStore<BrowserItem>()
  const server = createSnapshotStore<ServerRow>()
  const reader = test.store.delivery
  const source: Source = {
    changes: (since) => findChanges(reader, since),
    browserRows: (versions) => listBrowserRows(reader, versions),
    serverRows: (versions) => listServerRows(reader, versions),
  }
  const saved: number[] = []
  const oldests: number[] = []
  const feed = createFeed({
    source: { ...source, ...change(source, test.store) },
    browser: {
      snapshots: browser,
      toItem: toBrowserItem,
      keep: ({ version }) => saved.push(version),
      drop: () => saved.push(0),
      forgetBefore: (_, oldest) => oldests.push(oldest),
    },
    server: {
      snapshots: server,
      toItem: (row) => row,
      keep: () => {},
      drop: () => {},
      forgetBefore: () => {},
    },
    applyDataKeys: () => {},
    applyPublicKeys: () => {},
    now: () => moment,
    log: silentLog,
    intervalMs: 50,
  })
  feeds.push(feed)
  const versionOf = (snapshot: Snapshot) => browser.find(snapshotKeyOf(snapshot))?.version
  return { feed, browser, server, kept: saved, oldests, versionOf }
}

describe('the feed', () => {
  it('begins with the latest version of every snapshot', async () => {
    const [one, two] = [await newSnapshot(), await newSnapshot()]
    for (const version of [1, 2, 3]) await publish(one, version)
    await publish(two, 1)
    const { feed, kept: saved, versionOf, server } = follow()
    await feed.refresh()
    expect([versionOf(one), versionOf(two)]).toEqual([3, 1])
    expect(server.find(snapshotKeyOf(one))?.version).toBe(3)
    expect(saved).not.toContain(2)
    expect(feed.status()).toEqual({ readAt: moment, failure: undefined })
  })

  it('reports the oldest version left, even when only older versions were deleted', async () => {
    const snapshot = await newSnapshot()
    for (const version of [1, 2, 3]) await publish(snapshot, version)
    const { feed, oldests, versionOf } = follow()
    await feed.refresh()
    await test.store.transaction({ orgId: snapshot.orgId }, async (tx) => {
      const of = { name: '', values: [snapshot.schemaId] }
      const where = 'where schema_id = $1 and version'
      await tx.query({ ...of, text: `delete from browser_snapshots ${where} < 3` })
      await tx.query({ ...of, text: `update browser_snapshots set etag = etag ${where} = 3` })
    })
    oldests.length = 0
    await feed.refresh()
    expect(versionOf(snapshot)).toBe(3)
    // Rows may come twice while other transactions of the cluster are open.
    expect(new Set(oldests)).toContain(3)
  })

  it('applies every version committed since the last poll once, and saves those between', async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    const { feed, browser, kept: saved, versionOf } = follow()
    await feed.refresh()
    saved.length = 0
    const heard: (number | undefined)[] = []
    browser.onChange((_, item) => heard.push(item?.version))
    await publish(snapshot, 2)
    await publish(snapshot, 3)
    await feed.refresh()
    await feed.refresh()
    expect([versionOf(snapshot), heard, saved]).toEqual([3, [3], [2, 3]])
  })

  it('applies an unannounced change, and an announced one sooner', async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    const { feed, versionOf } = follow()
    feed.start()
    await expect.poll(() => versionOf(snapshot)).toBe(1)
    await publish(snapshot, 2)
    await expect.poll(() => versionOf(snapshot)).toBe(2)
    const stop = test.store.onAnnounce('snapshots', (announcement) => feed.wake(announcement))
    await publish(snapshot, 3)
    test.store.announce('snapshots')
    await expect.poll(() => versionOf(snapshot)).toBe(3)
    stop()
  })

  it('misses nothing of a transaction that began before a poll and committed after it', async () => {
    const { versions } = await raceWithOpenTransaction()
    expect(versions).toEqual([2, 2])
  })

  it('control: the highest transaction seen is not enough to go on from', async () => {
    const { versions } = await raceWithOpenTransaction((source) => ({
      changes: async (since) => {
        const changes = await source.changes(since)
        const [row] = await test.asOwner<{ next: string }>(
          'select (max(changed_in)::text::bigint + 1)::text as next from browser_snapshots',
        )
        return { ...changes, xmin: row?.next ?? changes.xmin }
      },
    }))
    expect(versions).toEqual([1, 2])
  })

  it('removes a deleted snapshot for good', async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    const { feed, versionOf } = follow()
    await feed.refresh()
    await unpublish(snapshot, 2)
    await feed.refresh()
    expect(versionOf(snapshot)).toBeUndefined()
    const later = follow()
    await later.feed.refresh()
    expect(later.versionOf(snapshot)).toBeUndefined()
  })

  it('removes snapshots that vanished without a trace once it compares everything', async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    let xmin = 10n
    const { feed, versionOf } = follow((source) => ({
      changes: async (since) => ({
        ...(await source.changes(since)),
        xmin: String((xmin += 1n)),
      }),
    }))
    await feed.refresh()
    expect(versionOf(snapshot)).toBe(1)
    for (const table of ['browser_snapshots', 'server_snapshots'])
      await test.asOwner(`delete from ${table} where org_id = $1`, [snapshot.orgId])
    await feed.refresh()
    expect(versionOf(snapshot)).toBe(1)
    // As after a restored database: its transactions have lower numbers.
    xmin = 1n
    await feed.refresh()
    expect(versionOf(snapshot)).toBeUndefined()
  })

  it('compares everything after it reconnected, because it may have missed an import', async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    const { feed, versionOf } = follow()
    await feed.refresh()
    for (const table of ['browser_snapshots', 'server_snapshots'])
      await test.asOwner(`delete from ${table} where org_id = $1`, [snapshot.orgId])
    feed.wake('committed')
    await feed.refresh()
    expect(versionOf(snapshot)).toBe(1)
    feed.wake('joined')
    await feed.refresh()
    expect(versionOf(snapshot)).toBeUndefined()
  })

  it('serves from memory while the database is down, reports it, and catches up', async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    let away = false
    const { feed, versionOf } = follow((source) => ({
      changes: (since) => (away ? Promise.reject(new Error('away')) : source.changes(since)),
    }))
    feed.start()
    await expect.poll(() => versionOf(snapshot)).toBe(1)
    away = true
    await expect.poll(() => feed.status().failure).toMatch(/cannot be read/)
    await publish(snapshot, 2)
    expect(versionOf(snapshot)).toBe(1)
    away = false
    await expect.poll(() => versionOf(snapshot)).toBe(2)
    await expect.poll(() => feed.status().failure).toBeUndefined()
  })

  it('takes the same version again once it is signed by other keys, at the next look', async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    const { feed, browser, kept } = follow()
    await feed.refresh()
    const unsigned = browser.find(snapshotKeyOf(snapshot))
    await test.asOwner(
      `update browser_snapshots set signature = 'by two', signed_by = 2 where schema_id = $1`,
      [snapshot.schemaId],
    )
    await feed.refresh()
    const signed = browser.find(snapshotKeyOf(snapshot))
    expect([unsigned?.encoded.own, signed?.encoded.own]).toEqual([
      {},
      { 'Signalbox-Signature': 'by two' },
    ])
    expect(signed?.etag).not.toBe(unsigned?.etag)
    expect(kept).toContain(1)
  })

  it("tells a server's version from another of the same number by its sealed secrets", async () => {
    const snapshot = await newSnapshot()
    await publish(snapshot, 1)
    const { feed, server } = follow()
    await feed.refresh()
    const before = server.find(snapshotKeyOf(snapshot))?.etag
    await test.asOwner('update server_snapshots set sealed_secrets = $2 where schema_id = $1', [
      snapshot.schemaId,
      Buffer.from('other bytes'),
    ])
    const { feed: second, server: seen } = follow()
    await second.refresh()
    expect(seen.find(snapshotKeyOf(snapshot))?.etag).not.toBe(before)
  })
})

/** Two versions, of which the one that began first commits last, with a look in between. */
async function raceWithOpenTransaction(change?: Parameters<typeof follow>[0]) {
  const [slow, fast] = [await newSnapshot(), await newSnapshot()]
  await publish(slow, 1)
  await publish(fast, 1)
  const { feed, versionOf } = follow(change)
  await feed.refresh()
  let commit = () => {}
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve
  })
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const open = test.store.transaction({ orgId: slow.orgId }, async (tx) => {
    await tx.query({
      name: 'insert-slow',
      text: insertSql('browser_snapshots'),
      values: columnsOf(slow, 2, '{"public":{},"featureFlags":{}}'),
    })
    begun()
    await mayCommit
  })
  await hasBegun
  await publish(fast, 2)
  await feed.refresh()
  commit()
  await open
  await feed.refresh()
  return { versions: [versionOf(slow), versionOf(fast)] }
}
