import type pg from 'pg'
import type { Statement, Tx } from '../../packages/server/src/store/store.ts'

const mebibyte = 2 ** 20

/** Holds what a piece of work took, and what it wrote to the log of PostgreSQL. */
export interface Cost {
  readonly rows: number
  readonly tookMs: number
  readonly walMiB: number
}

/** Measures work that returns a number of rows. Nobody else may write meanwhile. */
export async function cost(client: pg.Client, work: () => Promise<number>): Promise<Cost> {
  const position = async () => {
    const { rows } = await client.query<{ at: string }>(
      `select pg_current_wal_insert_lsn() - '0/0' as at`,
    )
    return Number(rows[0]?.at)
  }
  const from = await position()
  const begun = performance.now()
  const rows = await work()
  const tookMs = Math.round(performance.now() - begun)
  return { rows, tookMs, walMiB: Math.round(((await position()) - from) / mebibyte) }
}

/** Returns the MiB of a table with its indexes, and of all of its partitions. */
export async function sizeOf(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree($1)), pg_total_relation_size($1)) as bytes`,
    [table],
  )
  return Math.round(Number(rows[0]?.bytes) / mebibyte)
}

/** Runs statements on a connection, prepared by their names as the service does. Each is a transaction unless one is open. */
export function toTx(client: pg.Client): Tx {
  const only = () => {
    throw new Error('Only queries')
  }
  const query: Tx['query'] = async <Row extends object>({ name, text, values }: Statement) =>
    (await client.query<Row>({ name, text, values: [...values] })).rows
  return {
    query,
    send: only,
    // The statements after it wait for its answer on the connection.
    atCommit: (statement) => void query(statement),
    announce: only,
  }
}
