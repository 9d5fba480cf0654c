import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import {
  createLineSum,
  exportFormat,
  type ExportHeader,
  type ExportProgress,
  type ExportRow,
} from './export-file.ts'
import { rawQuery } from './raw-query.ts'
import type { Store, Tx } from './store.ts'
import {
  listMigrations,
  listTables,
  dumpSettingsSql,
  quoteName,
  type CatalogTable,
} from './table-catalog.ts'

export interface ExportOptions {
  readonly now: () => Date
  readonly onProgress?: (progress: ExportProgress) => void
  /** Aborts the export and destroys the output. */
  readonly signal?: AbortSignal
}

const batchRows = 500

async function describeTables(tx: Tx, tables: readonly CatalogTable[]) {
  const described: ExportHeader['tables'] = []
  for (const { name, columns, partitions } of tables) {
    const [count] = await rawQuery<{ rows: number }>(
      tx,
      `select count(*) as rows from ${quoteName(name)}`,
    )
    described.push({
      name,
      columns: columns.map((column) => column.name),
      rows: count?.rows ?? 0,
      ...(partitions.length > 0 && { partitions: [...partitions] }),
    })
  }
  return described
}

async function listRootKeyIds(tx: Tx): Promise<string[]> {
  const rows = await rawQuery<{ id: string }>(
    tx,
    'select root_key_id as id from data_keys union select id from root_keys order by id',
  )
  return rows.map(({ id }) => id)
}

async function* readRows(tx: Tx, table: CatalogTable): AsyncGenerator<ExportRow[]> {
  const columns = table.columns.map(({ name }) => `${quoteName(name)}::text`).join(', ')
  await rawQuery(
    tx,
    `declare export_rows no scroll cursor for
     select json_build_array(${columns}) as row from ${quoteName(table.name)}`,
  )
  for (;;) {
    const rows = await rawQuery<{ row: ExportRow }>(tx, `fetch ${batchRows} from export_rows`)
    if (rows.length === 0) break
    yield rows.map(({ row }) => row)
  }
  await rawQuery(tx, 'close export_rows')
}

async function* writeLines(tx: Tx, options: ExportOptions): AsyncGenerator<string> {
  const tables = await listTables(tx)
  const header: ExportHeader = {
    format: exportFormat,
    createdAt: options.now().toISOString(),
    migrations: await listMigrations(tx),
    rootKeyIds: await listRootKeyIds(tx),
    tables: await describeTables(tx, tables),
  }
  const sum = createLineSum()
  const lineOf = (value: unknown) => {
    const line = JSON.stringify(value)
    sum.add(line)
    return `${line}\n`
  }
  yield lineOf(header)
  const totalRows = header.tables.reduce((total, { rows }) => total + rows, 0)
  let rows = 0
  for (const table of tables) {
    for await (const batch of readRows(tx, table)) {
      rows += batch.length
      yield batch.map(lineOf).join('')
      options.onProgress?.({ table: table.name, rows, totalRows })
    }
  }
  yield `${JSON.stringify({ end: exportFormat, sha256: sum.digest() })}\n`
}

/**
 * Writes everything except the root key to `output`, as of one moment; later changes are not in it. Secrets stay
 * sealed. Waiting jobs are not exported.
 */
export async function exportDatabase(
  store: Pick<Store, 'maintenance'>,
  output: Writable,
  options: ExportOptions,
): Promise<void> {
  await store.maintenance(async (tx) => {
    await rawQuery(tx, 'set transaction isolation level repeatable read, read only')
    for (const statement of dumpSettingsSql) await rawQuery(tx, statement)
    const { signal } = options
    const lines = Readable.from(writeLines(tx, options))
    await pipeline(lines, createGzip(), output, { ...(signal && { signal }) })
  })
}
