import pg from 'pg'
import { closeClient } from './close-client.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { OperatorError } from './operator-error.ts'
import { clientConfig, type SessionLimits } from './role-pool.ts'
import { explainUnreachable, type Unreachable } from './unreachable.ts'

/** Lets migrations run without a limit, but not wait long for locks that others hold. */
const ownerLimits: SessionLimits = {
  statementTimeoutMs: 0,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 60_000,
}

async function connectToPrimary(target: ConnectionTarget): Promise<pg.Client> {
  const failures: Unreachable[] = []
  for (const host of target.hosts) {
    const client = new pg.Client(clientConfig(host, undefined, ownerLimits))
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ standby: boolean }>(
        'select pg_is_in_recovery() as standby',
      )
      if (rows[0]?.standby === false) return client
      failures.push({
        client,
        error: new OperatorError('it is a standby', {
          advice: 'Name the primary as well: migrations need it.',
        }),
      })
    } catch (error) {
      failures.push({ client, error })
    }
    await closeClient(client)
  }
  const isGiven = target.hosts.some(({ connectionString }) => connectionString !== undefined)
  throw explainUnreachable(
    isGiven ? 'The database of DATABASE_URL' : 'The embedded database',
    failures,
  )
}

/**
 * Runs `work` on a connection with the owner's rights, which only migrations need.
 *
 * @throws {OperatorError} `database_unreachable`
 */
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
