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

async function newPlace() {
  orgId = newId('org', moment)
  await test.asOwner(`insert into organizations (id, slug, name) values ($1, $1, 'Acme')`, [orgId])
  return { orgId, schemaId: newId('sch', moment), environmentId: newId('env', moment) }
}

type Place = Awaited<ReturnType<typeof newPlace>>

function columnsOf(
  { orgId, schemaId, environmentId }: Place,
  version: number,
  body: string | null,
) {
  return [orgId, schemaId, environmentId, version, 'web', 'production', `tag${version}`, body]
}

const insertSql = (table: string) => `insert into ${table}
  (org_id, schema_id, environment_id, version, schema_name, environment_name, etag, body)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

/** Commits one version for both audiences, as a write does. */
async function publish(place: Place, version: number): Promise<void> {
  const body = JSON.stringify({ public: { version }, featureFlags: {} })
  await test.store.transaction({ orgId: place.orgId }, async (tx) => {
    for (const table of ['browser_snapshots', 'server_snapshots']) {
      await tx.query({
        name: `insert-${table}`,
        text: insertSql(table),
        values: columnsOf(place, version, body),
      })
    }
  })
}

/** Deletes a pair as a write does: its rows go, and one without a body comes. */
async function unpublish(place: Place, version: number): Promise<void> {
  await test.store.transaction({ orgId: place.orgId }, async (tx) => {
    for (const table of ['browser_snapshots', 'server_snapshots']) {
      const text = `delete from ${table} where schema_id = $1`
      await tx.query({ name: `delete-${table}`, text, values: [place.schemaId] })
      await tx.query({
        name: `insert-${table}`,
        text: insertSql(table),
        values: columnsOf(place, version, null),
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
    browserRows: (heads) => listBrowserRows(reader, heads),
    serverRows: (heads) => listServerRows(reader, heads),
  }
  const kept: number[] = []
  const oldests: number[] = []
  const feed = createFeed({
    source: { ...source, ...change(source, test.store) },
    browser: {
      snapshots: browser,
      toItem: toBrowserItem,
      keep: ({ version }) => kept.push(version),
      drop: () => kept.push(0),
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
    now: () => moment,
    log: silentLog,
    intervalMs: 50,
  })
  feeds.push(feed)
  const versionOf = (place: Place) => browser.find(snapshotKeyOf(place))?.version
  return { feed, browser, server, kept, oldests, versionOf }
}

describe('the feed', () => {
  it('begins with the latest version of every pair', async () => {
    const [one, two] = [await newPlace(), await newPlace()]
    for (const version of [1, 2, 3]) await publish(one, version)
    await publish(two, 1)
    const { feed, kept, versionOf, server } = follow()
    await feed.refresh()
    expect([versionOf(one), versionOf(two)]).toEqual([3, 1])
    expect(server.find(snapshotKeyOf(one))?.version).toBe(3)
    expect(kept).not.toContain(2)
    expect(feed.status()).toEqual({ readAt: moment, fault: undefined })
  })

  it('says which versions are left, also when nothing changed but that older ones were forgotten', async () => {
    const place = await newPlace()
    for (const version of [1, 2, 3]) await publish(place, version)
    const { feed, oldests, versionOf } = follow()
    await feed.refresh()
    await test.store.transaction({ orgId: place.orgId }, async (tx) => {
      const of = { name: '', values: [place.schemaId] }
      const where = 'where schema_id = $1 and version'
      await tx.query({ ...of, text: `delete from browser_snapshots ${where} < 3` })
      await tx.query({ ...of, text: `update browser_snapshots set etag = etag ${where} = 3` })
    })
    oldests.length = 0
    await feed.refresh()
    expect(versionOf(place)).toBe(3)
    // Rows may come twice while other transactions of the cluster are open.
    expect(new Set(oldests)).toContain(3)
  })

  it('sees what was committed since, each version once, and keeps those between', async () => {
    const place = await newPlace()
    await publish(place, 1)
    const { feed, browser, kept, versionOf } = follow()
    await feed.refresh()
    kept.length = 0
    const heard: (number | undefined)[] = []
    browser.onChange((_, item) => heard.push(item?.version))
    await publish(place, 2)
    await publish(place, 3)
    await feed.refresh()
    await feed.refresh()
    expect([versionOf(place), heard, kept]).toEqual([3, [3], [2, 3]])
  })

  it('sees a change without being told, and sooner when it is', async () => {
    const place = await newPlace()
    await publish(place, 1)
    const { feed, versionOf } = follow()
    feed.start()
    await expect.poll(() => versionOf(place)).toBe(1)
    await publish(place, 2)
    await expect.poll(() => versionOf(place)).toBe(2)
    const stop = test.store.onAnnounce('snapshots', (announcement) => feed.wake(announcement))
    await publish(place, 3)
    test.store.announce('snapshots')
    await expect.poll(() => versionOf(place)).toBe(3)
    stop()
  })

  it('misses nothing of a transaction that began before its look and committed after', async () => {
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

  it('takes a deleted pair away, for good', async () => {
    const place = await newPlace()
    await publish(place, 1)
    const { feed, versionOf } = follow()
    await feed.refresh()
    await unpublish(place, 2)
    await feed.refresh()
    expect(versionOf(place)).toBeUndefined()
    const later = follow()
    await later.feed.refresh()
    expect(later.versionOf(place)).toBeUndefined()
  })

  it('takes away what vanished without a word once it compares everything', async () => {
    const place = await newPlace()
    await publish(place, 1)
    let xmin = 10n
    const { feed, versionOf } = follow((source) => ({
      changes: async (since) => ({
        ...(await source.changes(since)),
        xmin: String((xmin += 1n)),
      }),
    }))
    await feed.refresh()
    expect(versionOf(place)).toBe(1)
    for (const table of ['browser_snapshots', 'server_snapshots'])
      await test.asOwner(`delete from ${table} where org_id = $1`, [place.orgId])
    await feed.refresh()
    expect(versionOf(place)).toBe(1)
    // As after a restored database: its transactions have lower numbers.
    xmin = 1n
    await feed.refresh()
    expect(versionOf(place)).toBeUndefined()
  })

  it('compares everything once it listens again, because an import may have come between', async () => {
    const place = await newPlace()
    await publish(place, 1)
    const { feed, versionOf } = follow()
    await feed.refresh()
    for (const table of ['browser_snapshots', 'server_snapshots'])
      await test.asOwner(`delete from ${table} where org_id = $1`, [place.orgId])
    feed.wake('committed')
    await feed.refresh()
    expect(versionOf(place)).toBe(1)
    feed.wake('joined')
    await feed.refresh()
    expect(versionOf(place)).toBeUndefined()
  })

  it('goes on with what it has while the database is away, says so, and catches up', async () => {
    const place = await newPlace()
    await publish(place, 1)
    let away = false
    const { feed, versionOf } = follow((source) => ({
      changes: (since) => (away ? Promise.reject(new Error('away')) : source.changes(since)),
    }))
    feed.start()
    await expect.poll(() => versionOf(place)).toBe(1)
    away = true
    await expect.poll(() => feed.status().fault).toMatch(/cannot be read/)
    await publish(place, 2)
    expect(versionOf(place)).toBe(1)
    away = false
    await expect.poll(() => versionOf(place)).toBe(2)
    expect(feed.status().fault).toBeUndefined()
  })

  it("tells a server's version from another of the same number by its sealed secrets", async () => {
    const place = await newPlace()
    await publish(place, 1)
    const { feed, server } = follow()
    await feed.refresh()
    const before = server.find(snapshotKeyOf(place))?.etag
    await test.asOwner('update server_snapshots set sealed_secrets = $2 where schema_id = $1', [
      place.schemaId,
      Buffer.from('other bytes'),
    ])
    const { feed: second, server: seen } = follow()
    await second.refresh()
    expect(seen.find(snapshotKeyOf(place))?.etag).not.toBe(before)
  })
})

/** Two versions, of which the one that began first commits last, with a look in between. */
async function raceWithOpenTransaction(change?: Parameters<typeof follow>[0]) {
  const [slow, fast] = [await newPlace(), await newPlace()]
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
