import pg from 'pg'
import { closeClient } from '../connections/close-client.ts'
import type { ConnectionTarget } from '../connection-target.ts'
import { ownerLimits } from '../owner.ts'
import { clientConfig } from '../role-pool.ts'

/** Runs SQL as the superuser, on connections that are kept: to open one takes ten times as long as most statements. */
export interface KeptOwner {
  query<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]>
  close(): Promise<void>
}

/** Creates it. Each statement finds a session as a new connection has it, and runs beside others that wait. */
export function keepOwner({ hosts: [host] }: ConnectionTarget): KeptOwner {
  const idle = new Set<pg.Client>()

  async function open(): Promise<pg.Client> {
    if (host === undefined) throw new Error('The database has no host')
    const client = new pg.Client(clientConfig(host, undefined, ownerLimits))
    // Fails the statement that runs, if one does.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  /** Takes one that is idle, unless its server has ended it meanwhile. */
  async function take(): Promise<pg.Client> {
    for (const client of idle) {
      idle.delete(client)
      const isFresh = await client.query('discard all').then(
        () => true,
        () => false,
      )
      if (isFresh) return client
      await closeClient(client)
    }
    return open()
  }

  return {
    async query<R extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
      const client = await take()
      try {
        const { rows } = await client.query<R>(sql, values)
        idle.add(client)
        return rows
      } catch (error) {
        await closeClient(client)
        throw error
      }
    },
    async close() {
      const all = [...idle]
      idle.clear()
      await Promise.all(all.map(closeClient))
    },
  }
}
