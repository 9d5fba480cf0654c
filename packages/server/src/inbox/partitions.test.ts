import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import { purgeExpired } from '../retention/purge-expired.ts'
import { keepPartitions } from '../store/partitions.ts'
import { rawQuery } from '../store/raw-query.ts'
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
    ...(await packBody(Buffer.from('{}'))),
  }
}

/** Stores a webhook, and returns its id; `undefined` when it is known. */
async function add(deliveryId: string, receivedAt: Date): Promise<string | undefined> {
  const delivery = await newDelivery(deliveryId, receivedAt)
  const [id] = await test.store.intake((tx) => insertDeliveries(tx, [delivery]))
  return id
}

/** Does so by the statement of the releases that know the first partition alone. */
async function addAsBefore(deliveryId: string, receivedAt: Date): Promise<string | undefined> {
  const rows = await test.store.intake((tx) =>
    rawQuery<{ id: string }>(
      tx,
      `insert into webhook_deliveries (id, provider, delivery_id, event, headers, body, origin, received_at)
        values ($1, 'github', $2, 'push', '{}', '', 'push', $3) on conflict (provider, delivery_id) do nothing returning id`,
      [newId('dlv', receivedAt), deliveryId, receivedAt],
    ),
  )
  return rows[0]?.id
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
  it.each([
    ['in two weeks', [add, inDays(1)], [add, inDays(8)]],
    ['first to a release before', [addAsBefore, inDays(-1)], [add, inDays(1)]],
    ['then to a release before', [add, inDays(1)], [addAsBefore, inDays(-1)]],
    ['twice to a release before', [addAsBefore, inDays(-1)], [addAsBefore, inDays(-2)]],
  ] as const)('is stored once: %s', async (name, [first, firstAt], [second, secondAt]) => {
    const id = await first(name, firstAt)
    expect(id).toBeTypeOf('string')
    expect(await second(name, secondAt)).toBeUndefined()
    expect(await partitionOf(name)).toHaveLength(1)
    const again = await newDelivery(name, secondAt)
    const known = await test.store.intake((tx) => countRepeats(tx, [again]))
    expect(known).toMatchObject([{ id, isReopened: false }])
    expect(await test.store.maintenance((tx) => listKnownDeliveries(tx, 'github', [name]))).toEqual(
      new Set([name]),
    )
  })

  it('is stored once when it comes to both releases at the same moment', async () => {
    const [stored, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const delivery = await newDelivery('at once', inDays(1))
    const first = test.store.intake(async (tx) => {
      await insertDeliveries(tx, [delivery])
      stored.resolve()
      await held.promise
    })
    // Where the second one came first, nobody would wait for anybody.
    await stored.promise
    const second = test.store.maintenance((tx) =>
      rawQuery(
        tx,
        `insert into webhook_deliveries (id, provider, delivery_id, event, headers, body, origin)
          values ('dlv_0', 'github', 'at once', 'push', '{}', '', 'push') on conflict (provider, delivery_id) do nothing returning id`,
      ),
    )
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect
      .poll(() => test.asOwner(waits))
      .toHaveLength(1)
      .finally(held.resolve)
    await first
    expect(await second).toEqual([])
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
    ...new Set(plan.match(/\b(?:received_webhooks_(?:default|\d{8})|webhook_deliveries)\b(?!_)/g)),
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
    ['webhook_deliveries', -4],
    ['received_webhooks_default', 500],
  ])(
    'stays until a worker has seen it, and with its id 30 days after its week: %s',
    async (partition, day) => {
      await add(partition, inDays(day))
      expect(await partitionOf(partition)).toEqual([partition])
      const setState = (state: string) =>
        test.asOwner(`update received_webhooks set state = $2 where delivery_id = $1`, [
          partition,
          state,
        ])
      const ends = day - (((day % 7) + 7) % 7) + 7
      const purgeAt = (days: number) =>
        purgeExpired({ store: test.store, now: () => inDays(days + 30) })
      await purgeAt(ends - 1)
      expect(await add(partition, inDays(ends + 29))).toBeUndefined()
      expect(await partitionOf(partition)).toEqual([partition])
      // No worker has seen it yet.
      await purgeAt(ends)
      expect(await add(partition, inDays(ends + 30))).toBeUndefined()
      await setState('dead')
      await purgeAt(ends)
      expect(await partitionOf(partition)).toEqual([])
      expect(await add(partition, inDays(ends + 30))).toBeTypeOf('string')
    },
  )
})
