import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'
import type { StoreLog } from '../log.ts'
import { OperatorError } from '../operator-error.ts'

const askAgainMs = 200
const reportEveryMs = 5_000

/** Describes how to wait for another node's migration. */
export interface MigrationLockOptions {
  readonly log: StoreLog
  /** Aborts the wait for another node. Work that has begun is finished. */
  readonly signal?: AbortSignal | undefined
  /** Limits how long another node may take. Default 10 minutes: a migration may rewrite a large table. */
  readonly waitMs?: number
}

/**
 * Runs `work` while no other node migrates the database. Nodes that start together wait for each other.
 *
 * @throws {OperatorError} `migration_under_way` when another node does not finish.
 */
export async function withMigrationLock<T>(
  client: pg.Client,
  options: MigrationLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  await takeLock(client, options)
  try {
    return await work()
  } finally {
    await client
      .query('select pg_advisory_unlock($1, $2)', [...advisoryLocks.migration])
      .catch(() => undefined)
  }
}

/** Polls for the lock instead of queueing: a wait inside PostgreSQL could neither be reported nor aborted. */
async function takeLock(
  client: pg.Client,
  { log, signal, waitMs = 600_000 }: MigrationLockOptions,
): Promise<void> {
  const since = performance.now()
  let reportAt = since
  for (;;) {
    signal?.throwIfAborted()
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1, $2) as held',
      [...advisoryLocks.migration],
    )
    if (rows[0]?.held === true) return
    const waitedMs = performance.now() - since
    if (waitedMs >= waitMs) {
      throw new OperatorError(
        `Another node has been migrating the database for ${Math.round(waitMs / 1_000)} s.`,
        {
          code: 'migration_under_way',
          advice:
            'Start again when it is done. If it hangs, end it first, which releases its lock.',
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
