import type pg from 'pg'
import { sqlStateOf } from './faults.ts'
import { withMigrationLock, type MigrationLockOptions } from './migration-lock.ts'
import type { Migration } from './migrations/migration.ts'
import { OperatorError } from './operator-error.ts'

/** Lists the migrations that a database still needs. Refuses a database that a newer Signalbox has migrated. */
function planMigrations(
  migrations: readonly Migration[],
  applied: readonly string[],
): readonly Migration[] {
  const stranger = applied.find((name, index) => migrations[index]?.name !== name)
  if (stranger !== undefined) {
    throw new OperatorError(
      `The database is newer than this Signalbox: it has the migration ${stranger}, which this version doesn’t know.`,
      {
        code: 'database_newer',
        advice: 'Start the previous version, or a later one.',
      },
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
 * Explains a migration that ran into its lock timeout. It waits only briefly for the users of a table, because everyone
 * behind it would wait as well.
 */
function explainStep(error: unknown): unknown {
  if (sqlStateOf(error) !== '55P03') return error
  return new OperatorError('Cannot migrate the database: another session is using the tables.', {
    code: 'migration_blocked',
    advice: 'End long-running transactions (pg_stat_activity), then start again.',
    cause: error,
  })
}

/**
 * Migrates the database to the shape this code expects. Each migration is applied completely or not at all. `client` is
 * connected as the owner.
 *
 * @throws {OperatorError} when the database is newer than the code, or another node does not finish.
 */
export async function migrate(
  client: pg.Client,
  migrations: readonly Migration[],
  options: MigrationLockOptions,
): Promise<void> {
  const { log, signal } = options
  await withMigrationLock(client, options, async () => {
    try {
      await client.query(
        'create table if not exists signalbox_migrations (name text primary key, applied_at timestamptz not null default now())',
      )
      const applied = await listApplied(client)
      for (const migration of planMigrations(migrations, applied)) {
        signal?.throwIfAborted()
        await apply(client, migration)
        // The first set-up logs one line instead of one for each migration.
        if (applied.length > 0) log.info('Migrated the database', { migration: migration.name })
      }
      if (applied.length === 0)
        log.info('Created the tables of a new database', { migrations: migrations.length })
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw explainStep(error)
    }
  })
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  await client.query(migration.sql)
  await client.query('insert into signalbox_migrations (name) values ($1)', [migration.name])
  // The first migration creates the role. Exports read the table to name the version that the file fits.
  await client.query('grant select on signalbox_migrations to signalbox_maintenance')
  await client.query('commit')
}
