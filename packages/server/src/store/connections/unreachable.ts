import type pg from 'pg'
import { errorCodeOf } from '../error-code.ts'
import { OperatorError } from '../operator-error.ts'

/** Describes a connection attempt that failed. */
export interface Unreachable {
  readonly client: Pick<pg.Client, 'host' | 'port' | 'database'>
  readonly error: unknown
}

/** Maps the code of Node or PostgreSQL to advice. The classes of SQLSTATE are those of PostgreSQL's appendix A. */
const adviceByCode: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'Start PostgreSQL there, or correct the host and the port in DATABASE_URL.'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'Correct the host in DATABASE_URL.'],
  [/^28/, 'Correct the user and the password in DATABASE_URL, or let pg_hba.conf admit them.'],
  [/^3D000$/, 'Create the database, or correct its name in DATABASE_URL.'],
  [/^53300$/, 'Raise max_connections of PostgreSQL, or end other sessions.'],
  [/^57P03$/, 'Wait until PostgreSQL has started, then start again.'],
]

const otherwise =
  'Check with psql "$DATABASE_URL" that PostgreSQL answers there, and that PostgreSQL itself listens on that port.'

/** Explains the failure of every host in one sentence. It names host, port and database, and never the password. */
export function explainUnreachable(name: string, failures: readonly Unreachable[]): OperatorError {
  const addresses = failures.map(({ client }) => `${client.host}:${client.port}/${client.database}`)
  const reasons = failures.map(({ error }) => reasonOf(error))
  const said =
    failures.length === 1
      ? `(${addresses[0]}) cannot be reached: ${reasons[0]}`
      : `cannot be reached: ${addresses.map((address, index) => `${address}: ${reasons[index]}`).join('; ')}`
  const last = failures.at(-1)?.error
  return new OperatorError(`${name} ${said}.`, {
    code: 'database_unreachable',
    advice: adviceFor(last),
    cause: last,
  })
}

function adviceFor(error: unknown): string {
  if (error instanceof OperatorError && error.advice !== undefined) return error.advice
  const code = errorCodeOf(error) ?? ''
  return adviceByCode.find(([pattern]) => pattern.test(code))?.[1] ?? otherwise
}

/**
 * Returns the reason of an error. Node tries every address of a host and reports that in an error without a message.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map((each) => reasonOf(each)))].join(', ')
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
