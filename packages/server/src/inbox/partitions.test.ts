import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import { purgeExpired } from '../retention/purge-expired.ts'
import { keepPartitions } from '../store/partitions.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { findDelivery, pageDeliveries } from './delivery-rows.ts'
import { packBody } from './packed-body.ts'
import { beginOfWeek, webhookPartitions } from './partitions.ts'
import {
  claimDelivery,
  countRepeats,
  insertDeliveries,
  listKnownDeliveries,
  settleDelivery,
  type NewDelivery,
} from './rows.ts'

const dayMs = 86_400_000
let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme')`)
})
afterAll(() => test.close())

/** Returns a moment so many days after the beginning of this week, in which the first partition ends. */
const inDays = (days: number) => new Date(beginOfWeek(new Date()).getTime() + days * dayMs)

async function newDelivery(deliveryId: string, receivedAt: Date): Promise<NewDelivery> {
  return {
    id: newId('dlv', receivedAt),
    provider: 'github',
    deliveryId,
    event: 'push',
    action: null,
    accountId: '7',
    repositoryId: '9',
    headers: {},
    origin: 'push',
    duplicates: 0,
    receivedAt,
    body: await packBody(Buffer.from('{}')),
  }
}

/** Stores a webhook, and returns its id; `undefined` when it is known. */
async function add(deliveryId: string, receivedAt: Date): Promise<string | undefined> {
  const delivery = await newDelivery(deliveryId, receivedAt)
  const [id] = await test.store.intake((tx) => insertDeliveries(tx, [delivery]))
  return id
}

async function partitionOf(deliveryId: string): Promise<string[]> {
  const rows = await test.asOwner<{ partition: string }>(
    'select tableoid::regclass::text as partition from received_webhooks where delivery_id = $1',
    [deliveryId],
  )
  return rows.map(({ partition }) => partition)
}

const nameOf = (week: Date) =>
  `received_webhooks_${week.toISOString().slice(0, 10).replaceAll('-', '')}`

describe('a webhook that comes twice', () => {
  it('is stored once, also in two weeks', async () => {
    const name = 'in two weeks'
    const id = await add(name, inDays(1))
    expect(id).toBeTypeOf('string')
    expect(await add(name, inDays(8))).toBeUndefined()
    expect(await partitionOf(name)).toHaveLength(1)
    const again = await newDelivery(name, inDays(8))
    const known = await test.store.intake((tx) => countRepeats(tx, [again]))
    expect(known).toMatchObject([{ id, isReopened: false }])
    expect(await test.store.maintenance((tx) => listKnownDeliveries(tx, 'github', [name]))).toEqual(
      new Set([name]),
    )
  })

  it('is stored once when it comes to two nodes at the same moment', async () => {
    const [stored, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const delivery = await newDelivery('at once', inDays(1))
    const first = test.store.intake(async (tx) => {
      await insertDeliveries(tx, [delivery])
      stored.resolve()
      await held.promise
    })
    // The second insert begins only now: if it came first, neither would wait for the other.
    await stored.promise
    // `maintenance` stands in for another node, because it has a connection of its own.
    const repeat = await newDelivery('at once', inDays(8))
    const second = test.store.maintenance((tx) => insertDeliveries(tx, [repeat]))
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect
      .poll(() => test.asOwner(waits))
      .toHaveLength(1)
      .finally(held.resolve)
    await first
    expect(await second).toEqual(new Set())
    expect(await partitionOf('at once')).toEqual([nameOf(inDays(0))])
  })
})

describe('a webhook of a time without a partition', () => {
  it('is stored, claimed, settled, listed and found', async () => {
    const id = (await add('late', inDays(500))) ?? ''
    expect(await partitionOf('late')).toEqual(['received_webhooks_default'])
    await test.store.maintenance(async (tx) => {
      expect(await claimDelivery(tx, id)).toMatchObject({ id })
      await settleDelivery(tx, {
        id,
        orgId: 'org_1',
        state: 'done',
        reason: null,
        processedAt: inDays(500),
      })
    })
    await test.store.transaction({ orgId: 'org_1' }, async (tx) => {
      const filter = { orgId: 'org_1', state: undefined, event: undefined, providers: undefined }
      const page = await pageDeliveries(tx, filter, { after: undefined, limit: 10 })
      expect(page.map((row) => row.id)).toEqual([id])
      expect(await findDelivery(tx, 'org_1', id)).toMatchObject({ id, state: 'done' })
    })
  })
})

describe('the plan of a statement about webhooks', () => {
  const explain = async (text: string, values: unknown[]) => {
    const rows = await test.asOwner<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const partitionsIn = (plan: string) => [
    ...new Set(plan.match(/\b(?:received_webhooks_(?:default|\d{8}))\b(?!_)/g)),
  ]

  it('touches one partition when it has the id', async () => {
    const plan = await explain(
      `update received_webhooks set state = 'processing' where id = $1 and state = 'received'`,
      [newId('dlv', inDays(9))],
    )
    expect(partitionsIn(plan)).toEqual([nameOf(inDays(7))])
  })

  it('reads the newest of an organization by the index of each partition', async () => {
    const plan = await explain(
      `select id from received_webhooks where org_id = $1 order by received_at desc, id desc limit 10`,
      ['org_1'],
    )
    expect(plan).toMatch(/^Limit.*\n\s+-> {2}Merge Append/)
    expect(
      plan.match(/Index (?:Only )?Scan using \w+org_id_received_at_id_idx\w* /g)?.length,
    ).toBeGreaterThan(8)
    expect(plan).not.toContain('Seq Scan')
  })
})

describe('the weeks of webhooks', () => {
  it('go as a whole 30 days after their end, and what was received then may come again', async () => {
    const old = await add('old', inDays(6))
    await add('young', inDays(7))
    // The old week ended 30 days ago to the millisecond.
    const now = new Date(inDays(7).getTime() + 30 * dayMs)
    const before = new Date(now.getTime() - 1)
    const kept = { added: 0, dropped: undefined }
    expect(await keepPartitions(test.store, webhookPartitions(now, before))).toEqual({
      ...kept,
      added: 5,
    })
    expect(await keepPartitions(test.store, webhookPartitions(now))).toEqual(kept)
    // No worker has seen the webhook yet.
    expect(await keepPartitions(test.store, webhookPartitions(now, now))).toEqual(kept)
    await purgeExpired({ store: test.store, now: () => now })
    expect(await add('old', now)).toBeUndefined()
    await test.asOwner(`update received_webhooks set state = 'done' where delivery_id <> 'young'`)
    expect(await keepPartitions(test.store, webhookPartitions(now, now))).toMatchObject({
      dropped: { name: nameOf(inDays(0)) },
    })
    expect(await partitionOf('old')).toEqual([])
    expect(await partitionOf('young')).toEqual([nameOf(inDays(7))])
    // The id outlives the partition by the seconds between two rules.
    expect(await add('old', now)).toBeUndefined()
    const repeat = await newDelivery('old', now)
    expect(await test.store.intake((tx) => countRepeats(tx, [repeat]))).toEqual([])
    expect(await test.store.maintenance((tx) => claimDelivery(tx, old ?? ''))).toBeUndefined()
    await purgeExpired({ store: test.store, now: () => now })
    expect(await add('old', now)).toBeTypeOf('string')
    expect(await add('young', now)).toBeUndefined()
  })
})

describe('a webhook in no week’s partition', () => {
  it.each([
    ['before the first week', -4],
    ['after the last week', 500],
  ])(
    'stays until a worker has seen it, and with its id 30 days after its week: %s',
    async (name, day) => {
      const partition = 'received_webhooks_default'
      await add(name, inDays(day))
      expect(await partitionOf(name)).toEqual([partition])
      const setState = (state: string) =>
        test.asOwner(`update received_webhooks set state = $2 where delivery_id = $1`, [
          name,
          state,
        ])
      const ends = day - (((day % 7) + 7) % 7) + 7
      const purgeAt = (days: number) =>
        purgeExpired({ store: test.store, now: () => inDays(days + 30) })
      await purgeAt(ends - 1)
      expect(await add(name, inDays(ends + 29))).toBeUndefined()
      expect(await partitionOf(name)).toEqual([partition])
      // No worker has seen it yet.
      await purgeAt(ends)
      expect(await add(name, inDays(ends + 30))).toBeUndefined()
      await setState('dead')
      await purgeAt(ends)
      expect(await partitionOf(name)).toEqual([])
      expect(await add(name, inDays(ends + 30))).toBeTypeOf('string')
    },
  )
})
