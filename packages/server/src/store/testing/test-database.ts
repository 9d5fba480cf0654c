import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { parseDatabaseUrl } from '../connection-target.ts'
import { silentLog, type StoreLog } from '../log.ts'
import { openStore, type OpenStore } from '../open-store.ts'
import { withOwner } from '../owner.ts'
import { keepOwner } from './keep-owner.ts'
import { templateDatabase } from './template-database.ts'

export interface TestDatabase {
  readonly databaseUrl: string
  /** Runs SQL as the superuser, who is bound by no policy: to look behind the service's back. */
  asOwner<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]>
  drop(): Promise<void>
}

export interface TestStore extends TestDatabase {
  readonly store: OpenStore
  /** Closes the store and drops its database. */
  close(): Promise<void>
}

/** Describes a pooler in front of a test's database. */
interface TestPooler {
  /** Holds the value of `SIGNALBOX_POOL_URL`. */
  readonly poolUrl: string
  close(): Promise<void>
}

let openPooler: ((databaseUrl: string) => Promise<TestPooler>) | undefined

/** Opens stores behind a pooler from now on. The tests of the store are run a second time so. */
export function openStoresBehind(pooler: typeof openPooler): void {
  openPooler = pooler
}

function urlOf(database: string): string {
  const url: string | undefined = inject('postgresUrl')
  if (url === undefined)
    throw new Error(
      'Its project in vitest.config.ts has no PostgreSQL: import this file statically',
    )
  return url.replace('/postgres?', `/${database}?`)
}

/** Creates a database of its own for the caller: migrated, or empty when asked. */
export async function createTestDatabase(
  options: { readonly empty?: boolean } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = parseDatabaseUrl(urlOf('postgres'))
  const template = options.empty === true ? 'template0' : templateDatabase
  // Half the work of the other strategy, which writes every page of the template into the log.
  const create = `create database ${name} template ${template} strategy file_copy`
  await withOwner(server, (client) => client.query(create))
  const databaseUrl = urlOf(name)
  const owner = keepOwner(parseDatabaseUrl(databaseUrl))
  return {
    databaseUrl,
    asOwner: (sql, values) => owner.query(sql, values),
    drop: async () => {
      await owner.close()
      await withOwner(server, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

/**
 * Opens the store on a fresh, migrated database of a real PostgreSQL, in about 100 ms.
 *
 * ```ts
 * const test = await openTestStore()
 * afterAll(() => test.close())
 * ```
 */
export async function openTestStore(options: { readonly log?: StoreLog } = {}): Promise<TestStore> {
  const database = await createTestDatabase()
  const { databaseUrl } = database
  const pooler = await openPooler?.(databaseUrl)
  const source = { databaseUrl, poolUrl: pooler?.poolUrl }
  const store = await openStore({ source, log: options.log ?? silentLog })
  return {
    ...database,
    store,
    async close() {
      await store.close()
      await pooler?.close()
      await database.drop()
    },
  }
}
