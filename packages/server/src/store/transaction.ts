import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '@signalbox/contract'
import pg from 'pg'
import { sqlStateOf, toStoreProblem } from './store-problem.ts'
import type { PooledConnection, RolePool } from './role-pool.ts'
import type { Announcements, Statement, Topic, Tx } from './store.ts'

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

/** Holds a transaction handle, the statements it has sent without waiting, and the topics to announce. */
interface Handle {
  readonly tx: Tx
  /** Holds the failures of its statements, in the order of PostgreSQL's answers. */
  readonly failures: unknown[]
  readonly sent: Promise<unknown>[]
  readonly atCommit: Statement[]
  readonly topics: Set<Topic>
}

/**
 * Identifies the notice that triggers raise when a statement changed something that dashboards show
 * (0001-baseline/live.ts).
 */
const liveNotice = 'SBL01'

const handles = new WeakMap<pg.ClientBase, Handle>()

/** Returns the handle of a connection. From the first transaction on it listens to the connection's notices. */
function handleOf(client: pg.ClientBase): Handle {
  const known = handles.get(client)
  if (known !== undefined) return known
  const failures: unknown[] = []
  const sent: Promise<unknown>[] = []
  const atCommit: Statement[] = []
  const topics = new Set<Topic>()
  const ask = async <R extends object>({ name, text, values }: Statement) => {
    try {
      return (await run<R>(client, { name, text, values: [...values] })).rows
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  const tx: Tx = {
    query: ask,
    send: (statement) => void sent.push(settled(ask(statement))),
    atCommit: (statement) => void atCommit.push(statement),
    announce: (topic) => void topics.add(topic),
  }
  client.on('notice', ({ code }) => {
    if (code === liveNotice) topics.add('live')
  })
  const handle = { tx, failures, sent, atCommit, topics }
  handles.set(client, handle)
  return handle
}

/** Returns the same promise, whose rejection does not end the process while nothing awaits it. */
function settled<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined)
  return answer
}

/** Rejects with the failure of the statement that was sent first, which caused those after it. */
async function waitForAll(answers: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of await Promise.allSettled(answers)) {
    if (answer.status === 'rejected') throw answer.reason
  }
}

/**
 * Holds settings of one transaction, such as `app.org_id`. They end with it, so the next user of the connection never
 * sees them.
 */
export type LocalSettings = Readonly<Record<string, string>>

function beginSql(settings: LocalSettings): string {
  const assignments = Object.entries(settings).map(
    ([name, value]) => `set local ${name} = ${pg.escapeLiteral(value)}`,
  )
  return ['begin', ...assignments].join('; ')
}

/** Returns whether the connection no longer answers, so that a rollback would only cost time. */
function isSilent(error: unknown): boolean {
  return error instanceof Problem && sqlStateOf(error.cause) === undefined
    ? error.code === 'db_unavailable'
    : false
}

/** Returns whether the host takes no writes. With several, the next connection looks for one that does. */
function isReadOnly(error: unknown): boolean {
  return error instanceof Problem && error.code === 'read_only'
}

interface Committed<T> {
  readonly result: T
  readonly topics: readonly Topic[]
}

/**
 * Runs one attempt. `begin` is sent without waiting for its answer: it fails only with its connection. A connection
 * whose transaction cannot be ended for certain is not used again.
 */
async function attempt<T>(
  connection: PooledConnection,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<Committed<T>> {
  const { client } = connection
  const { tx, failures, sent, atCommit, topics } = handleOf(client)
  failures.length = 0
  sent.length = 0
  atCommit.length = 0
  topics.clear()
  try {
    sent.push(settled(run(client, { text: begin })))
    const result = await work(tx)
    for (const statement of atCommit) tx.send(statement)
    const committed = run(client, { text: 'commit' })
    await waitForAll([...sent, committed])
    // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
    if ((await committed).command !== 'COMMIT')
      throw new Error('Ignored a failed statement in a transaction')
    const announced = [...topics]
    connection.release()
    return { result, topics: announced }
  } catch (error) {
    const cause = findCause(error, failures)
    if (isSilent(cause) || isReadOnly(cause)) connection.discard()
    else await client.query('rollback').then(connection.release, connection.discard)
    throw cause
  }
}

const inFailedTransaction = '25P02'

/**
 * Returns the failure that came first, where a statement failed because of another one. Statements that were sent
 * together fail together, and the failure that is reported first need not be the cause.
 */
function findCause(error: unknown, failures: readonly unknown[]): unknown {
  return sqlStateOf(error) === inFailedTransaction ? (failures[0] ?? error) : error
}

/** Describes where transactions run, and where their topics are announced. */
export interface Transactions {
  readonly pool: RolePool
  readonly announce: Announcements['announce']
}

/**
 * Runs `work` in a transaction of `pool`. Repeats it from the start when PostgreSQL could not serialize it.
 *
 * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`
 */
export async function runTransaction<T>(
  { pool, announce }: Transactions,
  settings: LocalSettings,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const begin = beginSql({ ...pool.localLimits, ...settings })
  for (let tried = 1; ; tried += 1) {
    try {
      const { result, topics } = await attempt(await pool.acquire(), begin, work)
      topics.forEach(announce)
      return result
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
  const connection = await pool.acquire()
  try {
    const { rows } = await run<R>(connection.client, { name, text, values: [...values] })
    connection.release()
    return rows
  } catch (error) {
    // An answer of PostgreSQL leaves the connection usable; silence does not.
    if (sqlStateOf(error) === undefined) connection.discard()
    else connection.release()
    throw error
  }
}
