import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore, type OpenStore } from '../store/open-store.ts'
import { rawQuery } from '../store/raw-query.ts'
import type { Tx } from '../store/store.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { silentLog } from '../telemetry/log.ts'
import type { LiveChange } from './change.ts'
import { createLiveFeed, type LiveFeed } from './feed.ts'

let test: TestStore
let other: OpenStore
let feed: LiveFeed
let taken: LiveChange[]
let gaps: number

const seen = () => taken.map(({ topic, id }) => `${topic} ${id}`)

async function open(intervalMs: number, store: Pick<OpenStore, 'delivery' | 'onAnnounce'>) {
  feed = createLiveFeed({
    store,
    intervalMs,
    log: silentLog,
    reader: {
      hasReaders: () => true,
      receive: (changes) => void taken.push(...changes),
      receiveGap: () => void (gaps += 1),
    },
  })
  feed.start()
  await expect.poll(() => gaps).toBeGreaterThan(0)
}

beforeEach(async () => {
  test = await openTestStore()
  other = await openStore({ source: { databaseUrl: test.databaseUrl }, log: silentLog })
  taken = []
  gaps = 0
  await test.asOwner(`insert into organizations (id, slug, name) values ('org_1', 'one', 'One')`)
})
afterEach(async () => {
  await feed.close()
  await other.close()
  await test.close()
})

const insertEnvironment = (tx: Tx, id: string) =>
  rawQuery(tx, `insert into environments (org_id, id, name) values ('org_1', $1, $1)`, [id])

const addEnvironment = (store: OpenStore, id: string) =>
  store.transaction({ orgId: 'org_1' }, (tx) => insertEnvironment(tx, id))

const never = 3_600_000

describe('the feed of what changed', () => {
  it('reads a change that no use case announced', async () => {
    await open(never, test.store)
    await addEnvironment(test.store, 'env_1')
    await expect.poll(seen).toEqual(['environment env_1'])
  })

  it('reads a change that another node committed', async () => {
    await open(never, test.store)
    await addEnvironment(other, 'env_1')
    await expect.poll(seen).toEqual(['environment env_1'])
  })

  it('finds an unannounced change at its next poll', async () => {
    await open(10, { delivery: test.store.delivery, onAnnounce: () => () => undefined })
    await addEnvironment(other, 'env_1')
    await expect.poll(seen).toEqual(['environment env_1'])
  })

  it('control: finds nothing when it neither hears nor looks', async () => {
    await open(never, { delivery: test.store.delivery, onAnnounce: () => () => undefined })
    await addEnvironment(other, 'env_1')
    const [row] = await test.asOwner<{ count: number }>('select count(*) from live_changes')
    expect(row?.count).toBe(1)
    expect(seen()).toEqual([])
  })

  it('reports no change that was rolled back', async () => {
    await open(5, test.store)
    const failed = test.store.transaction({ orgId: 'org_1' }, async (tx) => {
      await insertEnvironment(tx, 'env_1')
      throw new Error('thought better of it')
    })
    await expect(failed).rejects.toThrow('thought better')
    await addEnvironment(test.store, 'env_2')
    await expect.poll(seen).toEqual(['environment env_2'])
  })

  it('reads each change exactly once, even of a transaction that ends after a later one', async () => {
    await open(5, test.store)
    await test.store.transaction({ orgId: 'org_1' }, async (tx) => {
      await insertEnvironment(tx, 'env_slow')
      for (let n = 0; n < 5; n += 1) {
        await addEnvironment(other, `env_${n}`)
        await expect.poll(() => seen().length).toBe(n + 1)
      }
    })
    await expect.poll(seen).toContain('environment env_slow')
    expect(seen()).toHaveLength(6)
  })

  it('reports very many rows of one statement without ids', async () => {
    await open(5, test.store)
    await test.store.maintenance((tx) =>
      tx.query({
        name: 'many',
        text: `insert into environments (org_id, id, name)
          select 'org_1', 'env_' || n, 'name-' || n from generate_series(1, 101) n`,
        values: [],
      }),
    )
    await expect.poll(seen).toEqual(['environment '])
  })

  it('reports a gap once the database is back, and when it was replaced', async () => {
    let isAway = false
    let refused = 0
    const { delivery } = test.store
    const query: typeof delivery.query = (statement) => {
      if (!isAway) return delivery.query(statement)
      refused += 1
      return Promise.reject(new Error('away'))
    }
    await open(5, { delivery: { query }, onAnnounce: () => () => undefined })
    const before = gaps
    isAway = true
    await addEnvironment(other, 'env_1')
    // A database that is back before the next poll was never away for the feed.
    await expect.poll(() => refused).toBeGreaterThan(0)
    isAway = false
    await expect.poll(() => gaps).toBeGreaterThan(before)
  })
})
