import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDatabaseUrl } from './connection-target.ts'
import { withOwner } from './owner.ts'
import { keepPartitions, type PartitionPlan } from './partitions.ts'
import { rawQuery } from './raw-query.ts'
import { sqlStateOf } from './store-problem.ts'
import { openTestStore, type TestStore } from './testing/test-database.ts'

let test: TestStore

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`
    create table by_text (id text primary key, at timestamptz) partition by range (id text_pattern_ops);
    create table by_text_default partition of by_text default;
    create index by_text_at on by_text (at);
    create table by_time (at timestamptz not null check (at > '2000-01-01')) partition by range (at);
    create table by_time_default partition of by_time default;
    grant select, insert on by_text, by_time to signalbox_maintenance`)
})
afterAll(() => test.close())

const day = (date: number) => new Date(Date.UTC(2026, 10, date))
const days = (...dates: number[]) =>
  dates.map((date) => ({ begins: day(date), ends: day(date + 1) }))
const dayText = (moment: Date) => moment.toISOString().slice(0, 10)
const byText = (plan: Partial<PartitionPlan>): PartitionPlan => ({
  table: 'by_text',
  periods: [],
  dropBefore: undefined,
  boundOf: dayText,
  ...plan,
})
const byTime = (plan: Partial<PartitionPlan>): PartitionPlan => ({
  ...byText(plan),
  table: 'by_time',
  boundOf: (moment) => moment.toISOString(),
})

/** Lists the partitions of a table, with the number of their rows. */
async function list(table: string): Promise<string[]> {
  const rows = await test.asOwner<{ partition: string }>(
    `select i.inhrelid::regclass::text || ': ' || (select count(*) from ${table} t where t.tableoid = i.inhrelid) as partition
      from pg_inherits i where i.inhparent = '${table}'::regclass order by 1`,
  )
  return rows.map(({ partition }) => partition)
}

const waitingSql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Holds the lock that a change of the partitions takes, and returns what ends that. */
async function lockPartitions(table: string): Promise<() => Promise<void>> {
  const [locked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = withOwner(parseDatabaseUrl(test.databaseUrl), async (client) => {
    await client.query('begin')
    await client.query(`lock table only ${table} in share update exclusive mode`)
    locked.resolve()
    await ended.promise
    await client.query('commit')
  })
  await locked.promise
  return async () => {
    ended.resolve()
    await holding
  }
}

describe.each([
  { table: 'by_text', planOf: byText, insert: 'insert into by_text (id) values ($1)' },
  { table: 'by_time', planOf: byTime, insert: 'insert into by_time (at) values ($1)' },
])('the partitions of a table ($table)', ({ table, planOf, insert }) => {
  it('are added once, by two nodes at a time, and dropped when they are over', async () => {
    const plan = planOf({ periods: days(9, 10, 11) })
    const unlock = await lockPartitions(table)
    const adding = Promise.all([1, 2].map(() => keepPartitions(test.store, plan)))
    await expect.poll(() => test.asOwner(waitingSql)).toHaveLength(2)
    await unlock()
    const both = await adding
    expect(both.map(({ added }) => added).reduce((sum, added) => sum + added)).toBe(3)
    for (const moment of ['2026-11-09T23:00', '2026-11-10T00:00', '2026-11-11T00:00'])
      await test.asOwner(insert, [moment])
    const drop = planOf({ dropBefore: new Date(day(11).getTime() + 1) })
    for (const first of ['09', '10']) {
      await test.asOwner('analyze')
      // PostgreSQL's own work may have the lock for more than the second that a call waits.
      await expect
        .poll(
          async () => {
            const both = await Promise.all([1, 2].map(() => keepPartitions(test.store, drop)))
            return both.map(({ dropped }) => dropped)
          },
          { timeout: 20_000 },
        )
        .toContainEqual({ name: `${table}_202611${first}`, rows: 1 })
    }
    expect(await keepPartitions(test.store, drop)).toEqual({ added: 0, dropped: undefined })
    expect(await list(table)).toEqual([`${table}_20261111: 1`, `${table}_default: 0`])
  })

  it('have the indexes and constraints of the table, and no rights', async () => {
    const [partition] = await test.asOwner(
      `select relacl is null as closed, relrowsecurity and relforcerowsecurity as secured,
         (select count(*)::int from pg_index where indrelid = c.oid) as indexes,
         (select count(*)::int from pg_constraint where conrelid = c.oid and contype = 'c') as checks
       from pg_class c where relname = '${table}_20261111'`,
    )
    const own = table === 'by_text' ? { indexes: 2, checks: 0 } : { indexes: 0, checks: 1 }
    expect(partition).toEqual({ closed: true, secured: true, ...own })
  })

  it('leave a day to the default partition when that already holds rows of it', async () => {
    await test.asOwner(insert, ['2026-11-20'])
    const plan = planOf({ periods: days(20, 21) })
    expect(await keepPartitions(test.store, plan)).toEqual({ added: 1, dropped: undefined })
    expect(await list(table)).toContain(`${table}_default: 1`)
  })
})

describe('a partition', () => {
  it('is not added where another one has a part of its time', async () => {
    const overlapping = [{ begins: day(10), ends: day(12) }]
    expect(await keepPartitions(test.store, byText({ periods: overlapping }))).toEqual({
      added: 0,
      dropped: undefined,
    })
  })

  it('that is dropped keeps nobody waiting while this process is busy', async () => {
    const busy: Pick<TestStore['store'], 'maintenance'> = {
      maintenance: (work) =>
        test.store.maintenance(async (tx) => {
          const result = await work(tx)
          await test.store.intake((other) => rawQuery(other, 'select from by_time'))
          return result
        }),
    }
    expect(await keepPartitions(busy, byTime({ dropBefore: day(12) }))).toMatchObject({
      dropped: { name: 'by_time_20261111' },
    })
  })

  it('that is in use is left to the next time, within a second', async () => {
    const drop = byText({ dropBefore: day(12) })
    const waitedMs = await test.store.maintenance(async (tx) => {
      await rawQuery(tx, 'select from by_text')
      const begun = performance.now()
      expect(await keepPartitions(test.store, drop)).toEqual({ added: 0, dropped: undefined })
      return performance.now() - begun
    })
    expect(waitedMs).toBeLessThan(5_000)
    expect(await keepPartitions(test.store, drop)).toEqual({
      added: 0,
      dropped: { name: 'by_text_20261111', rows: 1 },
    })
  })

  it.each([
    ['a table', 'by_text', 'organizations'],
    ['the default partition', 'by_text', 'by_text_default'],
    ['the partition of another table', 'by_text', 'by_time_20261111'],
    ['a table with the name of a partition', 'by_text', 'by_text_20200101'],
    ['one with the name of a partition in another schema', 'by_text', 'by_text_20200102'],
    ['a partition that was a table before', 'by_text', 'by_text_first'],
    ['what is named by a table without partitions', 'organizations', 'organizations_20261111'],
  ])('is not what the service can drop: %s', async (_, table, name) => {
    await test.asOwner(`create table if not exists by_text_20200101 ();
      create table if not exists by_text_20200102 ();
      create schema if not exists elsewhere;
      create table if not exists elsewhere.by_text_20200102 partition of by_text
        for values from ('2020-01-02') to ('2020-01-03');
      create table if not exists by_text_first partition of by_text for values from (minvalue) to ('1')`)
    const drop = test.store.maintenance((tx) =>
      rawQuery(tx, 'select drop_partition($1, $2, $3)', [table, name, '2030-01-01']),
    )
    expect(await drop.catch(sqlStateOf)).toBe('22023')
  })

  it('is neither added nor dropped by a request', async () => {
    for (const call of [
      `add_partition('by_text', 'by_text_20261201', '2026-12-01', '2026-12-02')`,
      `drop_partition('by_text', 'by_text_20261111', '2026-12-01')`,
    ]) {
      const asked = test.store.transaction({ orgId: 'org_1' }, (tx) =>
        rawQuery(tx, `select ${call}`),
      )
      expect(await asked.catch(sqlStateOf)).toBe('42501')
    }
  })
})
