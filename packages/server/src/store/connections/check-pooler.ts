import { Problem } from '@signalbox/contract'
import { errorCodeOf } from '../error-code.ts'
import { sqlStateOf } from '../store-problem.ts'
import { OperatorError } from '../operator-error.ts'
import type { RolePool } from '../role-pool.ts'

/** Says that a statement was prepared in the session of another client, or not in this one. */
const lostStatements = new Set(['42P05', '26000'])
/** PgBouncer says so of a transaction where it gives each statement another session. */
const inStatements = /statement pooling/
const statement = { name: 'signalbox_check', text: 'select 1 as one' }

/**
 * Checks that the pooler can be reached with each role, and that it keeps prepared statements apart: two clients prepare the same
 * one, and a pooler that does not know of them gives both the session that was free last.
 *
 * @throws {OperatorError} that says what to change at the pooler.
 */
export async function checkPooler(pools: readonly RolePool[]): Promise<void> {
  for (const pool of pools) await twice(pool).catch((error: unknown) => refuse(error))
}

async function twice(pool: RolePool): Promise<void> {
  const first = await pool.acquire()
  try {
    await first.client.query('begin')
    await first.client.query(statement)
    await first.client.query('commit')
  } finally {
    first.discard()
  }
  const second = await pool.acquire()
  try {
    await second.client.query(statement)
  } finally {
    second.discard()
  }
}

function refuse(thrown: unknown): never {
  if (thrown instanceof OperatorError) throw thrown
  const error = thrown instanceof Problem ? thrown.cause : thrown
  if (lostStatements.has(sqlStateOf(error) ?? '')) {
    throw new OperatorError('The pooler of SIGNALBOX_POOL_URL mixes prepared statements up.', {
      code: 'pooler_unfit',
      advice:
        'Use PgBouncer 1.21 or newer with max_prepared_statements above 0, or leave SIGNALBOX_POOL_URL out.',
      cause: error,
    })
  }
  if (inStatements.test(String(error))) {
    throw new OperatorError('The pooler of SIGNALBOX_POOL_URL pools statements.', {
      code: 'pooler_unfit',
      advice: 'Set pool_mode = transaction in pgbouncer.ini, and reload PgBouncer.',
      cause: error,
    })
  }
  const reason = error instanceof Error ? error.message : String(error)
  throw new OperatorError(
    `The pooler of SIGNALBOX_POOL_URL cannot be used: ${reason.replace(/\.$/, '') || errorCodeOf(error)}.`,
    {
      code: 'pooler_unreachable',
      advice:
        'Start it, give it the databases signalbox_app, signalbox_delivery and signalbox_maintenance, or correct SIGNALBOX_POOL_URL.',
      cause: error,
    },
  )
}
