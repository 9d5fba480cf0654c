import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../crypto/ids.ts'
import { parseDatabaseUrl } from '../connection-target.ts'
import { silentLog } from '../log.ts'
import { migrate } from '../migrate.ts'
import { withOwner } from '../owner.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { receivedWebhooks } from './0049-received-webhooks.ts'
import { migrations } from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

const bringTo = (count: number) =>
  withOwner(parseDatabaseUrl(database.databaseUrl), (client) =>
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
