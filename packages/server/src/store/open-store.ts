import { Problem } from '@signalbox/contract'
import type pg from 'pg'
import { createAnnouncer } from './announcements.ts'
import { checkPooler } from './connections/check-pooler.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { claimKey, recordAnswer } from './idempotency.ts'
import type { StoreLog } from './log.ts'
import { migrate } from './migrate.ts'
import type { MigrationLockOptions } from './migrations/migration-lock.ts'
import { migrations } from './migrations/index.ts'
import {
  attachDatabase,
  openDatabase,
  hasPooler,
  openDatabaseBeside,
  poolTargetOf,
  type DatabaseSource,
} from './open-database.ts'
import { withOwner } from './owner.ts'
import {
  createRolePool,
  requestLimits,
  type Role,
  type RolePool,
  type SessionLimits,
} from './role-pool.ts'
import type { Scope } from './scope.ts'
import type { DeliveryReader, Store, StoreHealth, Topic, Tx } from './store.ts'
import { readOnlyDetail, sqlStateOf } from './store-problem.ts'
import { runStatement, runTransaction, type Transactions } from './transaction.ts'

/** Describes the database to open. */
export interface StoreOptions {
  readonly source: DatabaseSource
  readonly log: StoreLog
  /** Shares a running service's database instead of claiming it. For commands. */
  readonly beside?: boolean
  /** Aborts waits: for PostgreSQL to start, for another node's migrations. */
  readonly signal?: AbortSignal
  /** Limits the connections that serve requests. Default 16. */
  readonly appConnections?: number
}

/** Adds to the store what the jobs and the start of the service need to know about its database. */
export interface OpenStore extends Store {
  readonly target: ConnectionTarget
  /** Returns where the connections of a role go: the database itself, or the pooler in front of it. */
  readonly poolTarget: (role: Role) => ConnectionTarget
  /** Names the last migration of a newer release, if one has migrated the database. This one can work with it. */
  readonly newerMigration: string | undefined
  /** Holds one sentence for the operator, if there is something to know. */
  readonly notice: string | undefined
  /** Closes it, and removes the files of a database that opening it created. */
  discard(): Promise<void>
}

/** Describes the store of a process that only delivers. */
export interface DeliveryStore extends Pick<Store, 'delivery' | 'onAnnounce' | 'check' | 'close'> {
  readonly notice: string | undefined
}

/** Gives work across organizations more time than a request. */
const maintenanceLimits: SessionLimits = {
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 60_000,
}

/**
 * Gives the reads that fill the memory of a node the time that they have behind a pooler: 100,000 API keys take seconds on a busy
 * machine. What a request waits for has a limit of its own, and a silent database is noticed as soon.
 */
const deliveryLimits: SessionLimits = { ...requestLimits, statementTimeoutMs: 60_000 }

async function describeHealth(ask: () => Promise<void>): Promise<StoreHealth> {
  try {
    await ask()
    return { ok: true, detail: 'The database answers.' }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

async function askPool(pool: RolePool): Promise<void> {
  await runStatement(pool, { name: 'check', text: 'select 1', values: [] })
}

/** Has PostgreSQL put what `healthSql` counts, a MiB, into a file beside the tables: it may not have it in its memory. */
const inFiles = { work_mem: '64kB', temp_tablespaces: '' }
const healthSql = `select current_setting('transaction_read_only')::boolean as "isReadOnly",
  (select count(*) from unnest(array_fill(repeat(' ', 8192), array[128]))) as counted`
/** Says that the database lets nobody have such files, which tells nothing of its disk. */
const filesForbidden = '53400'

/**
 * Asks for room as a write does, and leaves nothing behind. A database on a full disk answers reads, and takes the beats of nodes too:
 * the row of a node is changed where it is.
 */
async function askToWrite(pool: RolePool): Promise<void> {
  const statement = { name: 'check-health', text: healthSql, values: [] }
  const [row] = await runTransaction({ pool, announce: announceNothing }, inFiles, (tx) =>
    tx.query<{ isReadOnly: boolean; counted: number }>(statement),
  ).catch((error: unknown) => {
    if (sqlStateOf(error) === filesForbidden) return []
    throw error
  })
  if (row?.isReadOnly === true) throw new Problem('read_only', readOnlyDetail)
}

function readerOf(pool: RolePool): DeliveryReader {
  return { query: (statement) => runStatement(pool, statement) }
}

function transactionOf(transactions: Transactions): Store['transaction'] {
  return <T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { orgId, userId, idempotency: claim } = scope
    const settings = {
      'app.org_id': orgId ?? '',
      'app.user_id': userId ?? '',
      ...(claim !== undefined && { 'app.credential_id': claim.credentialId }),
    }
    if (claim === undefined) return runTransaction(transactions, settings, work)
    return runTransaction(transactions, settings, async (tx) => {
      await claimKey(tx, claim)
      const result = await work(tx)
      await recordAnswer(tx, claim, result)
      return result
    })
  }
}

const announceNothing = (): void => {}

/** Migrates the database as its owner. Returns the last migration of a newer release, if there is one. */
async function bringUpToDate(
  target: ConnectionTarget,
  options: MigrationLockOptions,
): Promise<string | undefined> {
  const { log } = options
  const bring = (client: pg.Client) => migrate(client, migrations, options)
  const migration = await withOwner(target, bring, (host) => {
    if (target.hosts.length > 1) log.info('Connected to the database of DATABASE_URL', host)
  })
  if (migration !== undefined)
    log.warn('A newer release has migrated the database; this one can work with it', { migration })
  return migration
}

/**
 * Opens the database, migrates it, and checks that row level security binds the role of requests.
 *
 * @throws {OperatorError} that says in one sentence why the service cannot start.
 */
export async function openStore(options: StoreOptions): Promise<OpenStore> {
  const { source, log, beside = false, signal, appConnections = 16 } = options
  const database = await (beside
    ? openDatabaseBeside(source, log)
    : openDatabase(source, log, signal))
  const { target } = database
  let newerMigration: string | undefined
  const poolTarget = (role: Role) => poolTargetOf(source, target, role)
  const poolOf = (role: Role, max: number, limits: SessionLimits) =>
    createRolePool({ target: poolTarget(role), role, max, limits, log })
  const app = poolOf('signalbox_app', appConnections, requestLimits)
  const delivery = poolOf('signalbox_delivery', 2, deliveryLimits)
  const maintenance = poolOf('signalbox_maintenance', 2, maintenanceLimits)
  const intake = poolOf('signalbox_maintenance', 1, requestLimits)
  const announcer = createAnnouncer({
    target,
    role: 'signalbox_app',
    log,
    send: (statement) => runStatement(app, statement),
  })
  const announce = (topic: Topic) => announcer.announce(topic)
  const transact = transactionOf({ pool: app, announce })
  const disconnect = async () => {
    await announcer.close()
    await Promise.all([app, delivery, maintenance, intake].map((pool) => pool.close()))
  }
  const close = () => disconnect().then(() => database.close())
  const discard = () => disconnect().then(() => database.discard())
  try {
    newerMigration = await bringUpToDate(target, { log, signal })
    if (hasPooler(source)) await checkPooler([app, delivery, maintenance])
    else for (const pool of [app, delivery]) (await pool.acquire()).release()
  } catch (error) {
    await discard()
    throw error
  }
  return {
    target,
    poolTarget,
    newerMigration,
    notice: database.notice,
    transaction: transact,
    maintenance: (work) => runTransaction({ pool: maintenance, announce }, {}, work),
    intake: (work) => runTransaction({ pool: intake, announce: announceNothing }, {}, work),
    delivery: readerOf(delivery),
    announce,
    onAnnounce: (topic, listener) => announcer.onAnnounce(topic, listener),
    check: () => describeHealth(() => askToWrite(app)),
    close,
    discard,
  }
}

/** Sends nothing: the delivery only listens. */
const neverSend = async (): Promise<void> => {}

/**
 * Opens the database for reading published rows. Never waits for it: a process that only delivers serves from its disk
 * meanwhile.
 */
export async function openDeliveryStore(options: StoreOptions): Promise<DeliveryStore> {
  const { source, log } = options
  const database = await attachDatabase(source, log)
  const role = 'signalbox_delivery'
  const { target, notice } = database
  const pool = createRolePool({
    target: poolTargetOf(source, target, role),
    role,
    max: 2,
    limits: deliveryLimits,
    log,
  })
  const announcer = createAnnouncer({ target, role, log, send: neverSend })
  return {
    notice,
    delivery: readerOf(pool),
    onAnnounce: (topic, listener) => announcer.onAnnounce(topic, listener),
    check: () => describeHealth(() => askPool(pool)),
    async close() {
      await announcer.close()
      await pool.close()
      await database.close()
    },
  }
}
