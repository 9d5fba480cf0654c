import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDatabaseUrl } from './connection-target.ts'
import { silentLog } from './log.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { withOwner } from './owner.ts'
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

/** Brings the database up to the first `count` steps. */
const bringTo = (count: number) =>
  withOwner(parseDatabaseUrl(database.databaseUrl), (client) =>
    migrate(client, migrations.slice(0, count), { log: silentLog }),
  )

describe('a server that was set up by an earlier version', () => {
  it('is run by the owners of the organization that its set-up made, not of the oldest one', async () => {
    await bringTo(1)
    await database.asOwner(`
      insert into organizations (id, slug, name) values ('org_1', 'scripted', 'S'), ('org_2', 'acme', 'A');
      insert into setup (token_hash, completed_at) values ('\\x00', now());
      insert into audit_events (org_id, sequence, id, at, actor, action, target, detail, previous_hash, hash)
      values ('org_1', 1, 'evt_1', now(), '{}', 'org.created', '{}', '{}', '\\x00', '\\x00'),
        ('org_2', 1, 'evt_2', now(), '{}', 'org.created', '{}', '{"setup": true}', '\\x00', '\\x00')`)
    await bringTo(migrations.length)
    expect(await database.asOwner('select first_org_id from setup')).toEqual([
      { first_org_id: 'org_2' },
    ])
  })
})
