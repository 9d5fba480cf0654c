import pg from 'pg'
import { closeClient } from './close-client.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { clientConfig, type SessionLimits } from './role-pool.ts'

/** Changes of the database's shape take as long as they take, but do not wait behind others for long. */
const ownerLimits: SessionLimits = {
  statementTimeoutMs: 0,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 60_000,
}

async function connectToPrimary(target: ConnectionTarget): Promise<pg.Client> {
  let failure: unknown
  for (const host of target.hosts) {
    const client = new pg.Client(clientConfig(host, undefined, ownerLimits))
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ standby: boolean }>(
        'select pg_is_in_recovery() as standby',
      )
      if (rows[0]?.standby === false) return client
      failure ??= new Error('Every host that answers is a standby; migrations need the primary.')
    } catch (error) {
      failure = error
    }
    await closeClient(client)
  }
  throw failure
}

/** Runs `work` on a connection with the owner's rights: only migrations have a use for them. */
export async function withOwner<T>(
  target: ConnectionTarget,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToPrimary(target)
  try {
    return await work(client)
  } finally {
    await closeClient(client)
  }
}
