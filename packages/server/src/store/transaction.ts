import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@signalbox/contract'
import pg from 'pg'
import { createBoundKysely } from './bound-kysely.ts'
import { sqlStateOf, toStoreProblem } from './faults.ts'
import type { Loan, RolePool } from './role-pool.ts'
import type { Statement, TextStatement, Tx } from './store.ts'

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

/** A transaction handle, and what is to be sent with its commit. */
interface Handle {
  readonly tx: Tx
  readonly atCommit: string[]
}

const handles = new WeakMap<pg.ClientBase, Handle>()

/** The handle of a connection: made once, because a Kysely costs more than a statement. */
function handleOf(client: pg.ClientBase): Handle {
  const known = handles.get(client)
  if (known !== undefined) return known
  const atCommit: string[] = []
  const tx: Tx = {
    db: createBoundKysely((text, values) => run(client, { text, values: [...values] })),
    query: async <R extends object>({ name, text, values }: Statement) =>
      (await run<R>(client, { name, text, values: [...values] })).rows,
    atCommit: (statement) => void atCommit.push(renderStatement(statement)),
  }
  const handle = { tx, atCommit }
  handles.set(client, handle)
  return handle
}

/** The statement with its values in it: several statements in one message cannot have parameters. */
function renderStatement({ text, values }: TextStatement): string {
  return text.replaceAll(/\$(\d+)/g, (_, position: string) => {
    const value = values[Number(position) - 1]
    return value === undefined || value === null ? 'null' : pg.escapeLiteral(value)
  })
}

/** The last result of a message: of several statements, PostgreSQL answers each. */
async function commit(client: pg.ClientBase, before: readonly string[]): Promise<string> {
  const answered: unknown = await run(client, { text: [...before, 'commit'].join('; ') })
  const results: unknown[] = Array.isArray(answered) ? answered : [answered]
  return String(Reflect.get(Object(results.at(-1)), 'command'))
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
  const { tx, atCommit } = handleOf(client)
  atCommit.length = 0
  try {
    await run(client, { text: begin })
    const result = await work(tx)
    // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
    if ((await commit(client, atCommit)) !== 'COMMIT')
      throw new Error('A failed statement was passed over in a transaction')
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
