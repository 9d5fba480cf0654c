import type pg from 'pg'
import { hostName, type ConnectionTarget } from '../connection-target.ts'
import { toStoreProblem } from '../store-problem.ts'
import { OperatorError } from '../operator-error.ts'

/** Chooses the host of each connection of a pool. */
export interface HostChoice {
  /** Returns the host that the next connection is tried at. */
  current(): pg.ClientConfig
  /**
   * Takes note of a fresh connection.
   *
   * @throws {Error} while other hosts may take writes, and this one does not.
   */
  accept(client: pg.ClientBase, isReadOnly: boolean): void
  /** Returns whether a connection only reads for want of a host that takes writes. It is used once. */
  isMakeshift(client: pg.ClientBase): boolean
  /**
   * Connects to the first host that takes writes, or, where there is none, to one that only reads.
   *
   * @throws {Problem} `db_unavailable`
   * @throws {OperatorError} when the rights of the role are not as they must be.
   */
  connect(pool: pg.Pool): Promise<pg.PoolClient>
}

/** Passes over a host that takes no writes, such as a former primary after a failover. */
class ReadOnlyHost extends Error {
  override readonly name = 'ReadOnlyHost'
}

/** Creates the choice among the hosts of `target`. A single host is taken as it is. */
export function createHostChoice(
  target: ConnectionTarget,
  onChange: (host: string) => void,
): HostChoice {
  const { length: count } = target.hosts
  const makeshift = new WeakSet<pg.ClientBase>()
  let preferred = 0
  let used: number | undefined
  let takesReadOnly = count === 1
  const connectReadOnly = async (
    pool: pg.Pool,
    host: number | undefined,
    failure: unknown,
  ): Promise<pg.PoolClient> => {
    if (host === undefined) throw toStoreProblem(failure)
    preferred = host
    takesReadOnly = true
    try {
      return await pool.connect()
    } catch (error) {
      throw toStoreProblem(error)
    } finally {
      takesReadOnly = false
    }
  }
  return {
    current: () => target.hosts[preferred] ?? {},
    accept(client, isReadOnly) {
      if (count === 1) return
      if (isReadOnly && !takesReadOnly) throw new ReadOnlyHost('The server takes no writes')
      if (isReadOnly) makeshift.add(client)
      if (used !== undefined && used !== preferred) onChange(hostName(target, preferred))
      used = preferred
    },
    isMakeshift: (client) => makeshift.has(client),
    async connect(pool) {
      let reading: number | undefined
      for (let tried = 1; ; tried += 1) {
        const host = preferred
        try {
          return await pool.connect()
        } catch (error) {
          if (error instanceof OperatorError) throw error
          if (error instanceof ReadOnlyHost) reading = host
          if (tried >= count) return connectReadOnly(pool, reading, error)
          if (preferred === host) preferred = (host + 1) % count
        }
      }
    },
  }
}
