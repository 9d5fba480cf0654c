import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDatabaseUrl } from '../../connection-target.ts'
import { silentLog } from '../../log.ts'
import { migrate } from '../../migrate.ts'
import { withOwner } from '../../owner.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { failedJobs } from './0015-failed-jobs.ts'
import { migrations } from '../index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
})
afterAll(() => database.drop())

const bringTo = (count: number) =>
  withOwner(parseDatabaseUrl(database.databaseUrl), (client) =>
    migrate(client, migrations.slice(0, count), { log: silentLog }),
  )

describe('a database in which failed jobs had their old name', () => {
  it('keeps them, and announces their changes under the new one', async () => {
    await bringTo(migrations.indexOf(failedJobs))
    await database.asOwner(`
      insert into organizations (id, slug, name) values ('org_1', 'acme', 'A');
      insert into dead_jobs (id, org_id, queue, job_id, data, data_hash, cause, reason, attempts, deaths, failed_at)
      values ('job_1', 'org_1', 'q', gen_random_uuid(), '{}', '\\x00', 'failed', 'r', 12, 3, now());
      delete from live_changes`)
    await bringTo(migrations.length)
    expect(await database.asOwner('select id, failures from failed_jobs')).toEqual([
      { id: 'job_1', failures: 3 },
    ])
    await database.asOwner('update failed_jobs set retried_at = now()')
    expect(await database.asOwner('select org_id, topic, subject_id from live_changes')).toEqual([
      { org_id: 'org_1', topic: 'failed_job', subject_id: 'job_1' },
    ])
  })

  it('has nothing left that is named after the old one', async () => {
    const names = await database.asOwner(`
      select relname as name from pg_class where relname like '%dead_job%'
      union all select conname from pg_constraint where conname like '%dead_job%' and contype <> 'n'
      union all select proname from pg_proc where proname like '%dead_job%' or prosrc like '%dead_job%'`)
    expect(names).toEqual([])
  })
})
