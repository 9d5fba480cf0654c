import pg from 'pg'
import { OperatorError } from './operator-error.ts'

/** Locates a database. Several hosts are one database with standbys: the first primary is used. */
export interface ConnectionTarget {
  readonly hosts: readonly pg.ClientConfig[]
  /** Set where a pooler gives each transaction a session of its own choice, and passes no startup options on. */
  readonly isPooled?: true
}

/** Returns host and port of one host, for the log. Example: `db1.example.com:5432`. */
export function hostName({ hosts }: ConnectionTarget, index: number): string {
  const { host, port } = new pg.Client(hosts[index] ?? {})
  return `${host}:${port}`
}

const databaseUrlPattern =
  /^(postgres(?:ql)?:\/\/)(?:([^@/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/

/**
 * Parses `DATABASE_URL`. Several hosts may be given, separated by commas, as PostgreSQL's own clients allow:
 * `postgres://user:password@db-1:5432,db-2:5432/signalbox`.
 *
 * @throws {OperatorError} that never repeats the URL, which holds a password.
 */
export function parseDatabaseUrl(url: string): ConnectionTarget {
  const match = databaseUrlPattern.exec(url)
  if (match === null) {
    throw new OperatorError(
      'DATABASE_URL must look like postgres://user:password@host:5432/database',
    )
  }
  const [, scheme = '', credentials, hosts = '', path = '', query = ''] = match
  const parameters = new URLSearchParams(query)
  // The service sets the role and the time limits of each connection itself.
  for (const name of ['options', 'target_session_attrs', 'application_name'])
    parameters.delete(name)
  const login = credentials === undefined ? '' : `${credentials}@`
  const suffix = parameters.size === 0 ? '' : `?${parameters.toString()}`
  return {
    hosts: hosts
      .split(',')
      .map((host) => ({ connectionString: `${scheme}${login}${host}${path}${suffix}` })),
  }
}

/** Stands for the role in `SIGNALBOX_POOL_URL`. */
const rolePlaceholder = '{role}'

/**
 * Parses `SIGNALBOX_POOL_URL` for one role: the pooler has a database of each role's name, whose sessions have that role.
 *
 * @throws {OperatorError} that never repeats the URL, which holds a password.
 */
export function parsePoolUrl(url: string, role: string): ConnectionTarget {
  const match = databaseUrlPattern.exec(url)
  if (match?.[4]?.includes(rolePlaceholder) !== true) {
    throw new OperatorError(
      `SIGNALBOX_POOL_URL must look like postgres://user:password@host:6432/${rolePlaceholder}`,
    )
  }
  return { ...parseDatabaseUrl(url.replaceAll(rolePlaceholder, role)), isPooled: true }
}
