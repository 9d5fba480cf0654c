import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leastId, newId } from '../../crypto/ids.ts'
import { parseDatabaseUrl } from '../connection-target.ts'
import { silentLog } from '../log.ts'
import { migrate } from '../migrate.ts'
import { openStore } from '../open-store.ts'
import { withOwner } from '../owner.ts'
import { listTables } from '../table-catalog.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { receivedWebhooks } from './0049-received-webhooks.ts'
import { migrations } from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

const bringTo = (count: number, { databaseUrl } = database) =>
  withOwner(parseDatabaseUrl(databaseUrl), (client) =>
    migrate(client, migrations.slice(0, count), { log: silentLog }),
  )
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

/** Stores a webhook as a release before this migration does, and returns how many it stored. */
async function addAsBefore(id: string, deliveryId: string): Promise<number> {
  const rows = await database.asOwner(
    `insert into webhook_deliveries (id, provider, delivery_id, org_id, event, headers, body, origin)
      values ($1, 'github', $2, 'org_1', 'push', '{}', '', 'push') on conflict (provider, delivery_id) do nothing returning id`,
    [id, deliveryId],
  )
  return rows.length
}

describe('a database that another release has used', () => {
  it('keeps its webhooks where they are, and that release beside this one for 60 days', async () => {
    await bringTo(migrations.indexOf(receivedWebhooks))
    const old = newId('dlv', inDays(-3))
    await addAsBefore(old, 'd-1')
    const [before] = await database.asOwner(`select pg_relation_filenode('webhook_deliveries')`)
    await bringTo(migrations.indexOf(receivedWebhooks) + 1)
    // Between the migrations: the id of the first is not copied yet, and it comes again.
    expect(await addAsBefore(newId('dlv', inDays(0)), 'd-1')).toBe(0)
    expect(await addAsBefore(newId('dlv', inDays(0)), 'd-2')).toBe(1)
    await bringTo(migrations.length)
    expect(await database.asOwner(`select pg_relation_filenode('webhook_deliveries')`)).toEqual([
      before,
    ])
    expect(await addAsBefore(newId('dlv', inDays(59)), 'd-1')).toBe(0)
    expect(await addAsBefore(newId('dlv', inDays(59)), 'd-3')).toBe(1)
    const late = addAsBefore(newId('dlv', inDays(68)), 'd-4')
    await expect(late).rejects.toThrow(/violates/)
    const stored = await database.asOwner<{ delivery_id: string }>(
      `select r.delivery_id from received_webhooks w join received_webhook_ids r using (id) order by 1`,
    )
    expect(stored.map((row) => row.delivery_id)).toEqual(['d-1', 'd-2', 'd-3'])
    const [last] = await database.asOwner(
      'select compatible_from from signalbox_migrations order by name desc limit 1',
    )
    expect(last).toEqual({ compatible_from: '0037-revisions-of-api-keys' })
  })

  it('tells dashboards once of a change, whoever makes it', async () => {
    await database.asOwner(
      `update webhook_deliveries set state = 'failed' where delivery_id = 'd-1'`,
    )
    await database.asOwner(
      `update received_webhooks set state = 'failed' where delivery_id = 'd-2'`,
    )
    expect(await database.asOwner('select topic from live_changes')).toEqual(
      Array.from({ length: 2 }, () => ({ topic: 'webhook_delivery' })),
    )
  })
})

describe('a new database', () => {
  let other: TestDatabase
  beforeAll(async () => {
    other = await createTestDatabase({ empty: true })
    const [row] = await other.asOwner<{ name: string }>('select current_database() as name')
    // A time zone whose clocks change within the next weeks, whenever the test runs.
    await other.asOwner(`create schema "Signal-Box";
      alter database ${row?.name} set search_path = "Signal-Box";
      alter database ${row?.name} set timezone = 'AAA8BBB,J${dayOfYear(inDays(20))},J${dayOfYear(inDays(200))}'`)
    await bringTo(migrations.length, other)
  })
  afterAll(() => other.drop())

  it('has weeks that begin on Mondays of UTC, in any time zone and a schema of any name', async () => {
    const weeks = await withOwner(parseDatabaseUrl(other.databaseUrl), (client) =>
      client.query<{ name: string; begins: string; ends: string }>(
        `select * from partition_ranges('received_webhooks') where name <> 'webhook_deliveries' order by name`,
      ),
    )
    const [now] = await other.asOwner<{ monday: Date }>(
      `select date_trunc('week', now(), 'UTC') as monday`,
    )
    const monday = now?.monday.getTime() ?? 0
    expect(weeks.rows.map(({ begins, ends }) => [begins, ends])).toEqual(
      Array.from({ length: 9 }, (_, week) =>
        [week, week + 1].map((at) => leastId('dlv', new Date(monday + at * 7 * 86_400_000))),
      ),
    )
  })

  it('is exported from a schema of any name', async () => {
    const store = await openStore({ source: other, log: silentLog })
    const tables = await store.maintenance(listTables)
    await store.close()
    expect(tables.map(({ name }) => name)).toContain('received_webhooks')
  })
})

/** Counts the days of a year up to a moment, without the 29th of February. */
function dayOfYear(moment: Date): number {
  const sameDay = Date.UTC(2001, moment.getUTCMonth(), moment.getUTCDate())
  return Math.round((sameDay - Date.UTC(2001, 0, 0)) / 86_400_000)
}
