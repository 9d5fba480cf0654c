import type pg from 'pg'
import { errorCodeOf } from './error-code.ts'
import { OperatorError } from './operator-error.ts'

/** A connection that was tried in vain. */
export interface Unreachable {
  readonly client: Pick<pg.Client, 'host' | 'port' | 'database'>
  readonly error: unknown
}

/** What to look at, by the code of Node or PostgreSQL. The classes of SQLSTATE are PostgreSQL's, appendix A. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'Start PostgreSQL there, or correct the host and the port in DATABASE_URL.'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'Correct the host in DATABASE_URL.'],
  [/^28/, 'Correct the user and the password in DATABASE_URL, or let pg_hba.conf admit them.'],
  [/^3D000$/, 'Create the database, or correct its name in DATABASE_URL.'],
  [/^53300$/, 'Raise max_connections of PostgreSQL, or end other sessions.'],
  [/^57P03$/, 'Wait until PostgreSQL has started, then start again.'],
]

const otherwise =
  'Check with psql "$DATABASE_URL" that PostgreSQL answers there, and that nothing but PostgreSQL listens on that port.'

/** One sentence for every host that was tried. The password is in none: only host, port and database are named. */
export function explainUnreachable(name: string, failures: readonly Unreachable[]): OperatorError {
  const places = failures.map(({ client }) => `${client.host}:${client.port}/${client.database}`)
  const reasons = failures.map(({ error }) => reasonOf(error))
  const said =
    failures.length === 1
      ? `(${places[0]}) cannot be reached: ${reasons[0]}`
      : `cannot be reached: ${places.map((place, index) => `${place}: ${reasons[index]}`).join('; ')}`
  const last = failures.at(-1)?.error
  return new OperatorError(`${name} ${said}.`, {
    code: 'database_unreachable',
    hint: hintFor(last),
    cause: last,
  })
}

function hintFor(error: unknown): string {
  if (error instanceof OperatorError && error.hint !== undefined) return error.hint
  const code = errorCodeOf(error) ?? ''
  return hints.find(([pattern]) => pattern.test(code))?.[1] ?? otherwise
}

/** Node tries every address of a host and says so in an error without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map((each) => reasonOf(each)))].join(', ')
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
