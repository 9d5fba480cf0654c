import pg from 'pg'
import { closeClient } from './connections/close-client.ts'
import type { ConnectionTarget } from './connection-target.ts'
import { OperatorError } from './operator-error.ts'
import { clientConfig, type SessionLimits } from './role-pool.ts'
import { explainUnreachable, type Unreachable } from './connections/unreachable.ts'

/** Lets migrations run without a limit, but not wait long for locks that others hold. */
export const ownerLimits: SessionLimits = {
  statementTimeoutMs: 0,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 60_000,
}

interface HostState {
  readonly standby: boolean
  readonly readOnly: boolean
}

/** A host that takes no writes may be a former primary: with others to choose from it is passed over. */
function refuseHost(
  { standby, readOnly }: HostState,
  { hosts }: ConnectionTarget,
): OperatorError | undefined {
  const advice = 'Name the primary too, because migrations need it.'
  if (standby) return new OperatorError('it is a standby', { advice })
  if (readOnly && hosts.length > 1) return new OperatorError('it accepts no writes', { advice })
  return undefined
}

/** Called with the host that is used. */
type Used = (fields: { readonly host: string }) => void

async function connectToPrimary(target: ConnectionTarget, used?: Used): Promise<pg.Client> {
  const failures: Unreachable[] = []
  for (const host of target.hosts) {
    const client = new pg.Client(clientConfig(host, undefined, ownerLimits))
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<HostState>(
        `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly"`,
      )
      const rejection = rows[0] && refuseHost(rows[0], target)
      if (rejection === undefined) {
        used?.({ host: `${client.host}:${client.port}` })
        return client
      }
      failures.push({ client, error: rejection })
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
  used?: Used,
): Promise<T> {
  const client = await connectToPrimary(target, used)
  try {
    return await work(client)
  } finally {
    await closeClient(client)
  }
}
