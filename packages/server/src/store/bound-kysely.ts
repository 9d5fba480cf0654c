import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Driver,
} from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'

type Run = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function connectionOf(run: Run): DatabaseConnection {
  return {
    async executeQuery({ sql, parameters }) {
      const { command, rowCount, rows } = await run(sql, parameters)
      return changing.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
    },
    streamQuery() {
      throw new Error('Rows are not streamed in a transaction')
    },
  }
}

async function refuse(): Promise<never> {
  throw new Error('The transaction is begun and ended by the store')
}

/** Builds a Kysely over one connection, which it never opens, closes, commits or rolls back. */
export function createBoundKysely(run: Run): Kysely<Database> {
  const connection = connectionOf(run)
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
