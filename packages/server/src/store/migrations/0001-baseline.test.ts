import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leastId } from '../../crypto/ids.ts'
import { parseDatabaseUrl } from '../connection-target.ts'
import { silentLog } from '../log.ts'
import { migrate } from '../migrate.ts'
import { openStore } from '../open-store.ts'
import { withOwner } from '../owner.ts'
import { listTables } from '../table-catalog.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { migrations } from './index.ts'

const dayMs = 86_400_000

/** Counts the days of a year up to a moment, without the 29th of February. */
function dayOfYear(moment: Date): number {
  const sameDay = Date.UTC(2001, moment.getUTCMonth(), moment.getUTCDate())
  return Math.round((sameDay - Date.UTC(2001, 0, 0)) / dayMs)
}

describe('a new database in a schema of any name and a time zone whose clocks change', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true })
    const [row] = await database.asOwner<{ name: string }>('select current_database() as name')
    const [begins, ends] = [20, 200].map((days) => dayOfYear(new Date(Date.now() + days * dayMs)))
    await database.asOwner(`create schema "Signal-Box";
      alter database ${row?.name} set search_path = "Signal-Box";
      alter database ${row?.name} set timezone = 'AAA8BBB,J${begins},J${ends}'`)
    await withOwner(parseDatabaseUrl(database.databaseUrl), (client) =>
      migrate(client, migrations, { log: silentLog }),
    )
  })
  afterAll(() => database.drop())
  /** Runs SQL on a connection that was opened since then. */
  const ask = <R extends pg.QueryResultRow>(sql: string) =>
    withOwner(
      parseDatabaseUrl(database.databaseUrl),
      async (client) => (await client.query<R>(sql)).rows,
    )

  it('has partitions of webhooks that begin on Mondays of UTC', async () => {
    const weeks = await ask<{ begins: string; ends: string }>(
      `select begins, ends from partition_ranges('received_webhooks') order by name`,
    )
    const [now] = await database.asOwner<{ monday: Date }>(
      `select date_trunc('week', now(), 'UTC') as monday`,
    )
    const monday = now?.monday.getTime() ?? 0
    expect(weeks.map(({ begins, ends }) => [begins, ends])).toEqual(
      Array.from({ length: 9 }, (_, week) =>
        [week, week + 1].map((at) => leastId('dlv', new Date(monday + at * 7 * dayMs))),
      ),
    )
  })

  it('is exported', async () => {
    const store = await openStore({ source: database, log: silentLog })
    const tables = await store.maintenance(listTables)
    await store.close()
    expect(tables.map(({ name }) => name)).toContain('received_webhooks')
  })

  it('tells dashboards of a webhook once when its state changes, and not that it is processed', async () => {
    await ask(
      `insert into received_webhooks (id, provider, delivery_id, org_id, event, headers, body, origin)
        values ('dlv_1', 'github', 'd-1', 'org_1', 'push', '{}', '', 'push')`,
    )
    for (const state of ['processing', 'done'])
      await ask(`update received_webhooks set state = '${state}'`)
    expect(await ask('select topic, subject_id from live_changes')).toEqual([
      { topic: 'webhook_delivery', subject_id: 'dlv_1' },
    ])
  })
})
