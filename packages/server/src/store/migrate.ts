import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { sqlStateOf } from './faults.ts'
import type { StoreLog } from './log.ts'
import type { Migration } from './migrations/migration.ts'
import { OperatorError } from './operator-error.ts'

const lockKey = [0x5347_4e4c, 2] as const

const askAgainMs = 200
const reportEveryMs = 5_000

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

export interface MigrateOptions {
  /** Ends the wait for another node. A step that has begun is finished. */
  readonly signal?: AbortSignal
  /** How long another node may take. Default 10 minutes: a step may rewrite a large table. */
  readonly waitMs?: number
}

/** Asks again and again instead of queueing: a wait inside PostgreSQL could not be reported, nor given up. */
async function takeLock(
  client: pg.Client,
  log: StoreLog,
  { signal, waitMs = 600_000 }: MigrateOptions,
): Promise<void> {
  const since = performance.now()
  let reportAt = since
  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1, $2) as held',
      [...lockKey],
    )
    if (rows[0]?.held === true) return
    const waitedMs = performance.now() - since
    if (waitedMs >= waitMs) {
      throw new OperatorError(
        `Another node has been migrating the database for ${Math.round(waitMs / 1_000)} s.`,
        {
          code: 'migration_under_way',
          hint: 'Start again when it is done. If it hangs, end it first: its lock goes with it.',
        },
      )
    }
    if (performance.now() >= reportAt) {
      log.info('Another node is migrating the database; waiting for it', {
        seconds: Math.round(waitedMs / 1_000),
      })
      reportAt += reportEveryMs
    }
    await delay(askAgainMs, undefined, { signal })
  }
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
 * Brings the database to the shape this code expects. Nodes that start together wait for each other; each
 * step happens whole or not at all. `client` is connected as the owner.
 *
 * @throws {OperatorError} when the database is newer than the code, or another node does not get ready.
 */
export async function migrate(
  client: pg.Client,
  migrations: readonly Migration[],
  log: StoreLog,
  options: MigrateOptions = {},
): Promise<void> {
  await takeLock(client, log, options)
  try {
    await client.query(
      'create table if not exists signalbox_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    for (const migration of planMigrations(migrations, await listApplied(client))) {
      options.signal?.throwIfAborted()
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
    throw explainStep(error)
  } finally {
    await client.query('select pg_advisory_unlock($1, $2)', [...lockKey]).catch(() => undefined)
  }
}
