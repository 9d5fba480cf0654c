import pg from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'
import { closeClient } from '../connections/close-client.ts'
import { embeddedUser } from './create-cluster.ts'
import { socketPort, type ClusterPaths } from './cluster-paths.ts'

const namePrefix = 'signalbox owner '

/** Holds the connection whose life is this process's claim on a data directory. */
export interface OwnerLock {
  /** Runs a statement with an owner's rights in the database `postgres`. */
  query(text: string): Promise<readonly Record<string, unknown>[]>
  /** Resolves when the connection is gone: the server died, or `close` was called. */
  readonly lost: Promise<void>
  close(): Promise<void>
}

/** Describes the result of a claim: the lock, or the process that holds it. */
export type Claim =
  | { readonly outcome: 'held'; readonly lock: OwnerLock }
  | { readonly outcome: 'taken'; readonly byPid: number | undefined }

async function findHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2 and l.objsubid = 2`,
    [...advisoryLocks.embeddedOwner],
  )
  const pid = Number(rows[0]?.application_name.slice(namePrefix.length))
  return Number.isInteger(pid) && pid > 0 ? pid : undefined
}

/** Tries to claim the cluster at `paths` for this process. Its server must be running. */
export async function claimCluster(paths: ClusterPaths): Promise<Claim> {
  const client = new pg.Client({
    host: paths.socketDir,
    port: socketPort,
    user: embeddedUser,
    database: 'postgres',
    application_name: `${namePrefix}${process.pid}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
  })
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
  })
  try {
    await client.connect()
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1, $2) as held',
      [...advisoryLocks.embeddedOwner],
    )
    if (rows[0]?.held !== true) {
      const byPid = await findHolder(client)
      await closeClient(client)
      return { outcome: 'taken', byPid }
    }
  } catch (error) {
    await closeClient(client)
    throw error
  }
  return {
    outcome: 'held',
    lock: {
      query: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
      lost,
      close: () => closeClient(client),
    },
  }
}
