import type { Scope } from './scope.ts'

/** Describes a named statement. PostgreSQL plans it once per connection. */
export interface Statement {
  /** Names the plan. Empty: PostgreSQL plans the statement each time, because different values need different plans. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Runs statements on the connection of one open transaction. */
export interface Tx {
  /** Runs one statement and returns its rows. `sql-statements.test.ts` compares `R` with what PostgreSQL describes. */
  query<R extends object>(statement: Statement): Promise<R[]>
  /** Sends a statement whose answer is not needed, without waiting. If it fails, so does the commit. */
  send(statement: Statement): void
  /**
   * Sends `statement` with the commit, in the order of the calls. Meant for a contended lock: it is held only as long
   * as the commit takes, and not while this process is busy.
   */
  atCommit(statement: Statement): void
  /** Announces `topic` after the commit, and never after a rollback. */
  announce(topic: Topic): void
}

/** Reads published rows of every organization for the delivery, and writes when keys were used. */
export interface DeliveryReader {
  /** Runs one statement. @throws {Problem} `db_unavailable` */
  query<R extends object>(statement: Statement): Promise<R[]>
}

/**
 * Lists what an announcement can be about: configuration, credentials and rights, work for the queue, applications at
 * providers; `live`: anything that dashboards show, which triggers in the database report.
 */
export type Topic = 'snapshots' | 'credentials' | 'jobs' | 'providers' | 'live'

/**
 * Tells why a listener is called. `committed`: some node has committed a change. `joined`: this process did not listen
 * until now, and may have missed anything, an import included.
 */
export type Announcement = 'committed' | 'joined'

/** Announces that something was committed. An announcement may be lost; the rows are the truth. */
export interface Announcements {
  /**
   * Calls the listeners of this process at once, and those of other nodes through one coalesced NOTIFY. Call it after
   * the commit.
   */
  announce(topic: Topic): void
  /** Calls `listener` after an announcement of any node, and whenever some may have been missed. */
  onAnnounce(topic: Topic, listener: (announcement: Announcement) => void): () => void
}

/** Describes whether the database answers. */
export interface StoreHealth {
  readonly ok: boolean
  readonly detail: string
}

/** Describes the database of the service. */
export interface Store extends Announcements {
  /**
   * Runs `work` as the role that serves requests, bound by row level security to the organization and user of `scope`.
   * Read committed; a transaction that needs more says so in its first statement. Repeats `work` from the start when
   * PostgreSQL could not serialize it, so it must have no effect outside of the database.
   *
   * @throws {IdempotentReplay} when the claim of `scope` was answered before.
   * @throws {Problem} `db_unavailable`, `storage_full`, `read_only`, `idempotency_in_progress`,
   * `idempotency_key_reused`
   */
  transaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` as the role that sees every organization: retention, export, rotation of the root key, jobs. */
  maintenance<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs `work` as `maintenance` does, on a connection of its own and with the limits of a request. Input from outside
   * therefore waits for no retention, and a flood of it takes no connection from others. Announces nothing: the intake
   * announces a flood once, and not for each transaction.
   */
  intake<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  readonly delivery: DeliveryReader
  check(): Promise<StoreHealth>
  close(): Promise<void>
}
