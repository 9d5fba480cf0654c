import type pg from 'pg'
import type { StoreLog } from './log.ts'
import type { Migration } from './migrations/migration.ts'

const lockKey = [0x5347_4e4c, 2] as const

/** The steps a database still needs. Refuses one that a newer Signalbox has worked on. */
function planMigrations(
  migrations: readonly Migration[],
  applied: readonly string[],
): readonly Migration[] {
  const stranger = applied.find((name, index) => migrations[index]?.name !== name)
  if (stranger !== undefined) {
    throw new Error(
      `The database is newer than this Signalbox: it has the step ${stranger}, which this version does ` +
        'not know. Start the version that was used before, or a later one.',
    )
  }
  return migrations.slice(applied.length)
}

async function listApplied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from signalbox_migrations order by name',
  )
  return rows.map(({ name }) => name)
}

/**
 * Brings the database to the shape this code expects. Nodes that start together wait for each other; each
 * step happens whole or not at all. `client` is connected as the owner.
 *
 * @throws {Error} when the database is newer than the code.
 */
export async function migrate(
  client: pg.Client,
  migrations: readonly Migration[],
  log: StoreLog,
): Promise<void> {
  await client.query('select pg_advisory_lock($1, $2)', [...lockKey])
  try {
    await client.query(
      'create table if not exists signalbox_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    for (const migration of planMigrations(migrations, await listApplied(client))) {
      await client.query('begin')
      await client.query(migration.sql)
      await client.query('insert into signalbox_migrations (name) values ($1)', [migration.name])
      // Made with the first step, and read by exports to say what the file fits.
      await client.query('grant select on signalbox_migrations to signalbox_maintenance')
      await client.query('commit')
      log.info('The database was brought up to date', { step: migration.name })
    }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await client.query('select pg_advisory_unlock($1, $2)', [...lockKey]).catch(() => undefined)
  }
}
