import type pg from 'pg'
import { sqlStateOf } from './faults.ts'
import { withMigrationLock, type MigrationLockOptions } from './migration-lock.ts'
import type { Migration } from './migrations/migration.ts'
import { OperatorError } from './operator-error.ts'

/** The steps a database still needs. Refuses one that a newer Signalbox has worked on. */
function planMigrations(
  migrations: readonly Migration[],
  applied: readonly string[],
): readonly Migration[] {
  const stranger = applied.find((name, index) => migrations[index]?.name !== name)
  if (stranger !== undefined) {
    throw new OperatorError(
      `The database is newer than this Signalbox: it has the step ${stranger}, which this version does not know.`,
      {
        code: 'database_newer',
        hint: 'Start the version that was used before, or a later one.',
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

/** A step waits for whoever uses what it changes, and not for long: those behind it would wait as well. */
function explainStep(error: unknown): unknown {
  if (sqlStateOf(error) !== '55P03') return error
  return new OperatorError('The database is not brought up to date: a session uses what changes.', {
    code: 'migration_blocked',
    hint: 'End the transactions that have been open for long (pg_stat_activity), then start again.',
    cause: error,
  })
}

/**
 * Brings the database to the shape this code expects. Each step happens whole or not at all. `client` is connected as the
 * owner.
 *
 * @throws {OperatorError} when the database is newer than the code, or another node does not get ready.
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
        // An empty database has no past whose steps anybody would look for.
        if (applied.length > 0)
          log.info('The database was brought up to date', { step: migration.name })
      }
      if (applied.length === 0) log.info('The database was set up', { steps: migrations.length })
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
  // Made with the first step, and read by exports to say what the file fits.
  await client.query('grant select on signalbox_migrations to signalbox_maintenance')
  await client.query('commit')
}
