import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@signalbox/contract'
import pg from 'pg'
import { createBoundKysely } from './bound-kysely.ts'
import { sqlStateOf, toStoreProblem } from './faults.ts'
import type { Loan, RolePool } from './role-pool.ts'
import type { Statement, Tx } from './store.ts'

const attemptsMax = 5
const retriedStates = new Set(['40001', '40P01'])

async function run<R extends object>(
  client: pg.ClientBase,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<R>> {
  try {
    return await client.query<R>(query)
  } catch (error) {
    throw toStoreProblem(error)
  }
}

const transactions = new WeakMap<pg.ClientBase, Tx>()

/** The transaction handle of a connection: made once, because a Kysely costs more than a statement. */
function txOf(client: pg.ClientBase): Tx {
  const known = transactions.get(client)
  if (known !== undefined) return known
  const tx: Tx = {
    db: createBoundKysely((text, values) => run(client, { text, values: [...values] })),
    query: async <R extends object>({ name, text, values }: Statement) =>
      (await run<R>(client, { name, text, values: [...values] })).rows,
  }
  transactions.set(client, tx)
  return tx
}

/** Settings of one transaction, such as `app.org_id`. They end with it, so the next borrower never sees them. */
export type LocalSettings = Readonly<Record<string, string>>

function beginSql(settings: LocalSettings): string {
  const assignments = Object.entries(settings).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)}`,
  )
  return ['begin', ...assignments].join('; ')
}

/** Whether the connection no longer answers, so that asking it to roll back would only cost time. */
function isSilent(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === undefined
    ? error.code === 'db_unavailable'
    : false
}

/** One try. A connection whose transaction cannot be ended for certain is not used again. */
async function attempt<T>(loan: Loan, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { client } = loan
  try {
    await run(client, { text: begin })
    const result = await work(txOf(client))
    const { command } = await run(client, { text: 'commit' })
    // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
    if (command !== 'COMMIT') throw new Error('A failed statement was passed over in a transaction')
    loan.giveBack()
    return result
  } catch (error) {
    if (isSilent(error)) loan.discard()
    else await client.query('rollback').then(loan.giveBack, loan.discard)
    throw error
  }
}

/**
 * Runs `work` in a transaction of `pool`, again from the start when PostgreSQL could not serialize it.
 *
 * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`
 */
export async function runTransaction<T>(
  pool: RolePool,
  settings: LocalSettings,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const begin = beginSql(settings)
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt(await pool.borrow(), begin, work)
    } catch (error) {
      if (tried >= attemptsMax || !retriedStates.has(sqlStateOf(error) ?? '')) throw error
    }
    await delay(Math.random() * 5 * 2 ** tried)
  }
}

/** Runs one statement outside of a transaction. */
export async function runStatement<R extends object>(
  pool: RolePool,
  { name, text, values }: Statement,
): Promise<R[]> {
  const loan = await pool.borrow()
  try {
    const { rows } = await run<R>(loan.client, { name, text, values: [...values] })
    loan.giveBack()
    return rows
  } catch (error) {
    // An answer of PostgreSQL leaves the connection usable; silence does not.
    if (sqlStateOf(error) === undefined) loan.discard()
    else loan.giveBack()
    throw error
  }
}
