import type pg from 'pg'
import { sqlStateOf } from './store-problem.ts'
import { withMigrationLock, type MigrationLockOptions } from './migrations/migration-lock.ts'
import { requirementOf, type ConcurrentIndex, type Migration } from './migrations/migration.ts'
import { OperatorError } from './operator-error.ts'

interface AppliedMigration {
  readonly name: string
  /** Names the oldest migration that a release must know to work on the database since then. */
  readonly compatibleFrom: string
}

/** Says what a database and this release are to each other. */
interface MigrationPlan {
  readonly pending: readonly Migration[]
  /** Names the last migration of a newer release, if one has migrated the database. */
  readonly newest: string | undefined
}

/**
 * Lists the migrations that a database still needs. A database that a newer release has migrated needs none, and is accepted where
 * that release says so: then nodes of both can run while one replaces the other, in either direction.
 */
function planMigrations(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationPlan {
  const common = applied.slice(0, migrations.length)
  const stranger = common.find(({ name }, index) => migrations[index]?.name !== name)
  const newest = applied.slice(migrations.length).at(-1)
  const own = migrations.at(-1)?.name ?? ''
  if (stranger !== undefined || (newest !== undefined && newest.compatibleFrom > own)) {
    throw refuseNewer(stranger ?? newest)
  }
  return { pending: migrations.slice(applied.length), newest: newest?.name }
}

function refuseNewer(migration: AppliedMigration | undefined): OperatorError {
  return new OperatorError(
    `The database is newer than this Signalbox: it has the migration ${migration?.name}, and this version can’t work with that.`,
    { code: 'database_newer', advice: 'Start a later version.' },
  )
}

/**
 * Refuses a database that was restored from a dump into a cluster without the roles: PostgreSQL goes on without their rights, and
 * every table looks empty. To create the roles brings none of them back.
 */
async function refuseWithoutRights(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ lacks: boolean; schema: string }>(
    `select to_regclass('organizations') is not null and not exists (
        select from pg_policies where schemaname = current_schema() and 'signalbox_maintenance' = any (roles)) as lacks,
      quote_ident(current_schema()) as schema`,
  )
  const [state] = rows
  if (state?.lacks !== true) return
  const roles = ['signalbox_app', 'signalbox_delivery', 'signalbox_maintenance']
  const commands = [
    ...roles.map((role) => `create role ${role} nologin`),
    `grant ${roles.join(', ')} to current_user`,
    `grant create on schema ${state.schema} to signalbox_maintenance`,
  ]
  throw new OperatorError(
    `The database was restored without the roles ${roles.join(', ')}, and PostgreSQL has left out all their rights.`,
    {
      code: 'roles_missing',
      advice: `As the user of DATABASE_URL, create the roles that are missing, and restore once more into an empty database: ${commands.join('; ')};`,
    },
  )
}

async function listApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select name, compatible_from as "compatibleFrom" from signalbox_migrations order by name',
  )
  return rows
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
 * Migrates the database to the shape this code expects. Each migration is applied completely or not at all, but for its
 * concurrent indexes, which are made first. `client` is connected as the owner. Returns the last migration of a newer release
 * with which this one can work, if there is one.
 *
 * @throws {OperatorError} when the database is too new for the code, or another node does not finish.
 */
export async function migrate(
  client: pg.Client,
  migrations: readonly Migration[],
  options: MigrationLockOptions,
): Promise<string | undefined> {
  const { log, signal } = options
  return withMigrationLock(client, options, async () => {
    try {
      await client.query(
        'create table if not exists signalbox_migrations (name text primary key, applied_at timestamptz not null default now(), compatible_from text not null)',
      )
      const applied = await listApplied(client)
      if (applied.length > 0) await refuseWithoutRights(client)
      const { pending, newest } = planMigrations(migrations, applied)
      const isNew = applied.length === 0
      for (const migration of pending) {
        signal?.throwIfAborted()
        const upToHere = migrations.slice(0, migrations.indexOf(migration) + 1)
        await apply(client, migration, requirementOf(upToHere))
        // The first set-up logs one line instead of one for each migration.
        if (!isNew) log.info('Migrated the database', { migration: migration.name })
      }
      if (isNew) log.info('Created the tables of a new database', { migrations: migrations.length })
      return newest
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw explainStep(error)
    }
  })
}

async function apply(
  client: pg.Client,
  { name, sql, indexes = [] }: Migration,
  requirement: string,
): Promise<void> {
  for (const index of indexes) await createConcurrently(client, index)
  await client.query('begin')
  await client.query(sql)
  await client.query('insert into signalbox_migrations (name, compatible_from) values ($1, $2)', [
    name,
    requirement,
  ])
  // The first migration creates the role. Exports read the table to name the version that the file fits.
  await client.query('grant select on signalbox_migrations to signalbox_maintenance')
  await client.query('commit')
}

/** Creates an index while others write to its table. One that an interrupted start has left unfinished is dropped first. */
async function createConcurrently(
  client: pg.Client,
  { name, on, isUnique }: ConcurrentIndex,
): Promise<void> {
  const { rows } = await client.query<{ isValid: boolean }>(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  if (rows[0]?.isValid === true) return
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`)
  await client.query(`create ${isUnique ? 'unique ' : ''}index concurrently ${name} on ${on}`)
}
