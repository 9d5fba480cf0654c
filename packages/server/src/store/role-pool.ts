import pg from 'pg'
import { createHostChoice } from './connections/host-choice.ts'
import { createSilenceWatch, type SilenceLimits } from './connections/silence-watch.ts'
import { toStoreProblem } from './store-problem.ts'
import { OperatorError } from './operator-error.ts'
import type { ConnectionTarget } from './connection-target.ts'
import type { StoreLog } from './log.ts'

/** Lists the database roles that connections take. None can log in. */
export type Role = 'signalbox_app' | 'signalbox_delivery' | 'signalbox_maintenance'

/** Limits how long a connection may take. */
export interface SessionLimits {
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
}

/** Limits how long a request waits for the database. */
export const requestLimits: SessionLimits = {
  statementTimeoutMs: 4_000,
  lockTimeoutMs: 2_000,
  idleInTransactionTimeoutMs: 5_000,
}

const queryMarginMs = 1_000
const connectTimeoutMs = 2_000
/** With several hosts, a connection is looked at anew after so long: its host may have lost its place to another. */
const hostCheckSeconds = 60
/** Rejections come within three seconds when the database is frozen or cut off. */
const silenceLimits: SilenceLimits = { silentMs: 1_000, answerMs: 1_000 }
const int8Oid = 20

/** Parses `count(*)` and `bigint` as numbers. Refuses those beyond 2^53, which a number cannot represent. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('A bigint does not fit a number')
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid
      ? parseInt8
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Returns the settings of every connection to `host`: its role and its time limits. */
export function clientConfig(
  host: pg.ClientConfig,
  role: string | undefined,
  limits: SessionLimits,
): pg.ClientConfig {
  const settings = {
    ...(role === undefined ? {} : { role }),
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    tcp_user_timeout: 10_000,
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  return {
    ...toClient(host, limits),
    options: options.join(' '),
    application_name: role ?? 'signalbox',
  }
}

/** Returns the settings of a connection to a pooler, which sets the role, and in each transaction gets the limits. */
function pooledConfig(host: pg.ClientConfig, role: string, limits: SessionLimits): pg.ClientConfig {
  return { ...toClient(host, limits), application_name: role }
}

function toClient(host: pg.ClientConfig, limits: SessionLimits): pg.ClientConfig {
  return {
    ...host,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(limits.statementTimeoutMs === 0
      ? {}
      : { query_timeout: limits.statementTimeoutMs + queryMarginMs }),
    keepAlive: true,
    types,
  }
}

/** Describes a connection acquired from the pool. `discard` closes it instead of returning it to the pool. */
export interface PooledConnection {
  readonly client: pg.PoolClient
  readonly release: () => void
  readonly discard: () => void
}

function refuse(error: unknown): never {
  throw error instanceof OperatorError ? error : toStoreProblem(error)
}

/** Provides connections of one role. */
export interface RolePool {
  /** @throws {Problem} `db_unavailable` */
  acquire(): Promise<PooledConnection>
  /** Holds the limits that each transaction sets itself, because its session has others: behind a pooler. */
  readonly localLimits: Readonly<Record<string, string>>
  close(): Promise<void>
}

interface Session {
  readonly user: string
  readonly unbound: boolean
  readonly standby: boolean
  readonly readOnly: boolean
  /** Says whether a statement outside of a transaction ends some time. */
  readonly limited: boolean
}

const sessionSql = `select current_user as user, pg_is_in_recovery() as standby,
  current_setting('transaction_read_only')::boolean as "readOnly",
  current_setting('statement_timeout') <> '0' as limited,
  (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as unbound`

/** Refuses a connection whose rights would let requests see what they must not. */
class UnfitConnection extends OperatorError {
  override readonly name = 'UnfitConnection'
}

/**
 * Checks each fresh connection once: it must have its role, the role must be bound by row level security,
 * and the server must be the primary. Returns whether the server takes no writes.
 */
async function inspect(client: pg.ClientBase, role: string, isPooled: boolean): Promise<boolean> {
  const { rows } = await client.query<Session>(sessionSql)
  const session = rows[0]
  if (isPooled) requirePooler(session, role)
  if (session?.user !== role) {
    throw new UnfitConnection(
      `The connection has the role ${session?.user}, not ${role}. Connect to PostgreSQL itself, or ` +
        'through a pooler that passes startup options on.',
    )
  }
  if (session.unbound) {
    throw new UnfitConnection(`The role ${role} is a superuser or has BYPASSRLS. Revoke that.`)
  }
  if (session.standby) throw new Error('The server is a standby')
  return session.readOnly
}

/** Says what the pooler's database of a role lacks, in the words of PgBouncer. */
function requirePooler(session: Session | undefined, role: string): void {
  if (session?.user === role && session.limited) return
  const lacks = session?.user === role ? 'no statement_timeout' : `the role ${session?.user}`
  throw new UnfitConnection(`The database ${role} of SIGNALBOX_POOL_URL has ${lacks}.`, {
    code: 'pooler_unfit',
    advice: `Give it in pgbouncer.ini: connect_query='set role ${role}; set statement_timeout = 60000'`,
  })
}

/**
 * Opens a pool of connections that all have `role`. With several hosts each connection goes to the first one that takes
 * writes, or, where there is none, to a primary that only reads. Such a connection is used once, and any connection for
 * a minute: the next one finds the host that takes writes by then.
 */
export function createRolePool(options: {
  readonly target: ConnectionTarget
  readonly role: string
  readonly max: number
  readonly limits: SessionLimits
  readonly log: StoreLog
  /** Default: 2.25 seconds in all. */
  readonly silence?: SilenceLimits
}): RolePool {
  const { target, role, limits, log, silence = silenceLimits } = options
  const {
    hosts: { length: hostCount },
    isPooled = false,
  } = target
  const hasOthers = hostCount > 1
  // Of several, one that hangs leaves time for the next.
  const connectionTimeoutMillis = hasOthers ? connectTimeoutMs / 2 : connectTimeoutMs
  const hosts = createHostChoice(target, (host) =>
    log.warn('Switched to another host of DATABASE_URL', { role, host }),
  )
  let closed: Promise<void> | undefined
  class PreferredClient extends pg.Client {
    constructor() {
      // Pipelining sends statements without waiting for the answers of earlier ones.
      const config = (isPooled ? pooledConfig : clientConfig)(hosts.current(), role, limits)
      super({ ...config, connectionTimeoutMillis, pipeline: true })
    }
  }
  const pool = new pg.Pool({
    max: options.max,
    connectionTimeoutMillis,
    idleTimeoutMillis: 30_000,
    Client: PreferredClient,
    ...(hasOthers && { maxLifetimeSeconds: hostCheckSeconds }),
    onConnect: async (client) => hosts.accept(client, await inspect(client, role, isPooled)),
  })
  const watch = createSilenceWatch(() => new PreferredClient(), silence)
  // An `error` event without a listener would end the process.
  const onError = (error: Error) =>
    log.warn('Lost a database connection', { reason: error.message })
  pool.on('error', onError)
  return {
    localLimits: isPooled ? toLocalLimits(limits) : {},
    async acquire() {
      const client = await watch.wait(hosts.connect(pool)).catch(refuse)
      client.on('error', onError)
      const unwatch = watch.watch(client)
      const end = (discard: boolean) => {
        unwatch()
        client.off('error', onError)
        client.release(discard)
      }
      return { client, release: () => end(hosts.isMakeshift(client)), discard: () => end(true) }
    },
    close: () => (closed ??= pool.end()),
  }
}

function toLocalLimits(limits: SessionLimits): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(limits.statementTimeoutMs),
    lock_timeout: String(limits.lockTimeoutMs),
    idle_in_transaction_session_timeout: String(limits.idleInTransactionTimeoutMs),
  }
}
