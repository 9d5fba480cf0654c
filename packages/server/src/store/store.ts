import type { Scope } from './scope.ts'

/** A named statement: PostgreSQL plans it once per connection. */
export interface Statement {
  /** Empty: planned each time, for its values. For what is best done one way for some values and another for others. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Runs statements on the connection of one open transaction. */
export interface Tx {
  /** Runs one statement and returns its rows. `sql-statements.test.ts` compares `R` with what PostgreSQL describes. */
  query<R extends object>(statement: Statement): Promise<R[]>
  /** Sends a statement whose answer is not needed, and does not wait. When it fails, so does the commit. */
  send(statement: Statement): void
  /**
   * Sends `statement` with the commit, in the order of the calls. For what takes a lock that everyone wants: it is held
   * for as long as the commit takes, and not for as long as this process is busy.
   */
  atCommit(statement: Statement): void
  /** Announces `topic` once this is committed, and never what is rolled back. */
  announce(topic: Topic): void
}

/** What delivery asks: published rows of every organization. It writes when keys were used, and nothing else. */
export interface DeliveryReader {
  /** Runs one statement. @throws {Problem} `db_unavailable` */
  query<R extends object>(statement: Statement): Promise<R[]>
}

/**
 * What was committed: configuration, whatever decides who may do what, work for the queue, applications at providers; `live`:
 * anything that dashboards show, which the database itself says.
 */
export type Topic = 'snapshots' | 'credentials' | 'jobs' | 'providers' | 'live'

/**
 * Why somebody is told: `committed` by any node, or `joined`: this process did not listen until now, and knows
 * nothing of what happened before, an import included.
 */
export type Hint = 'committed' | 'joined'

/** Hints that something was committed. A hint may be lost; the rows are the truth. */
export interface Announcements {
  /** Tells this process at once, and every other node through one coalesced NOTIFY. Call it after the commit. */
  announce(topic: Topic): void
  /** Calls `listener` after an announcement of any node, and whenever some may have been missed. */
  onAnnounce(topic: Topic, listener: (hint: Hint) => void): () => void
}

export interface StoreHealth {
  readonly ok: boolean
  readonly detail: string
}

/** The database of the service. */
export interface Store extends Announcements {
  /**
   * Runs `work` as the role that serves requests, bound by row level security to the organization and user of
   * `scope`. Read committed; a transaction that needs more says so in its first statement. Run again from the
   * start when PostgreSQL could not serialize it, so `work` has no effect outside of the database.
   *
   * @throws {IdempotentReplay} when the claim of `scope` was answered before.
   * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`, `idempotency_in_progress`, `idempotency_key_reused`
   */
  transaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` as the role that sees every organization: retention, export, rotation of the root key, jobs. */
  maintenance<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * As `maintenance`, on a connection of its own and with the limits of a request: what arrives from outside waits for no
   * retention, and a flood of it takes no connection from anybody else. Announces nothing: whoever takes a flood says so in
   * good time, and not for each transaction.
   */
  intake<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  readonly delivery: DeliveryReader
  check(): Promise<StoreHealth>
  close(): Promise<void>
}
