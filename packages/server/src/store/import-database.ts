import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { errorCodeOf } from './error-code.ts'
import {
  createLineSum,
  exportFormat,
  exportHeader,
  exportRow,
  exportTrailer,
  type ExportHeader,
  type ExportProgress,
  type ExportRow,
} from './export-file.ts'
import { sqlStateOf } from './store-problem.ts'
import { tryNodeLock } from './node-lock.ts'
import { OperatorError, type OperatorErrorOptions } from './operator-error.ts'
import { rawQuery } from './raw-query.ts'
import { LineCutOff, splitLines } from './split-lines.ts'
import type { Store, Tx } from './store.ts'
import {
  listMigrations,
  listTables,
  dumpSettingsSql,
  quoteName,
  type CatalogTable,
} from './table-catalog.ts'

export interface ImportOptions {
  /** Lists the check ids of the root keys that this server has. */
  readonly rootKeyIds: readonly string[]
  /** Deletes the contents of the database first. Default: a database with users or organizations is refused. */
  readonly replace?: boolean
  readonly onProgress?: (progress: ExportProgress) => void
  /** Called in the transaction of the import, before the contents of the database are deleted. */
  readonly begin?: (tx: Tx) => Promise<void>
  /** Called in the transaction of the import, once every row is stored. */
  readonly finish?: (tx: Tx) => Promise<void>
  /** Aborts the import; nothing is stored. */
  readonly signal?: AbortSignal
}

/** Says why a file cannot be imported. Nothing was stored. */
export class ImportRefused extends OperatorError {
  override readonly name = 'ImportRefused'

  constructor(message: string, options: OperatorErrorOptions = {}) {
    super(message, { code: 'import_refused', ...options })
  }
}

const batchRows = 500
const batchCharacters = 4_000_000

function damaged(cause?: unknown): ImportRefused {
  return new ImportRefused('The file is damaged or incomplete. Nothing was stored.', {
    code: 'file_damaged',
    advice: 'Copy it again, or export once more.',
    cause,
  })
}

async function refuseUnfit(tx: Tx, header: ExportHeader, options: ImportOptions): Promise<void> {
  if (header.format !== exportFormat) {
    throw new ImportRefused(`The file is ${header.format}; this version reads ${exportFormat}.`)
  }
  const known = await listMigrations(tx)
  if (known.join() !== header.migrations.join()) {
    throw new ImportRefused(
      `Another version of Signalbox wrote the file: its last migration is ${header.migrations.at(-1)}, ` +
        `here it is ${known.at(-1)}.`,
      { advice: 'Import it with the version that wrote it, then update.' },
    )
  }
  const missing = header.rootKeyIds.filter((id) => !options.rootKeyIds.includes(id))
  if (missing.length > 0) {
    throw new ImportRefused(
      `The file's secrets are sealed under the root key ${missing.join(', ')}, which this server does not have.`,
      {
        code: 'wrong_root_key',
        advice:
          'Add that key first, in SIGNALBOX_ROOT_KEY or as root.key in the data directory: an export doesn’t contain it.',
      },
    )
  }
  if (options.replace === true) return
  const [existing] = await rawQuery<{ used: boolean }>(
    tx,
    'select exists (select from organizations) or exists (select from users) as used',
  )
  if (existing?.used === true) {
    throw new ImportRefused('The database is not empty.', {
      code: 'database_not_empty',
      advice: 'Use another one, or permanently replace its contents: import --force <file>',
    })
  }
}

/**
 * Refuses an import beside running nodes. They have the replaced data in memory, above all data keys: a write would
 * seal under a key that no longer exists.
 */
async function refuseBesideNodes(tx: Tx): Promise<void> {
  const [lock] = await rawQuery<{ held: boolean }>(tx, tryNodeLock)
  if (lock?.held === true) return
  throw new ImportRefused('Signalbox is running on this database.', {
    code: 'database_in_use',
    advice: 'Stop every node first, and start them again after the import.',
  })
}

function columnAt(table: CatalogTable, name: string, columns: readonly string[]): string {
  const type = table.columns.find((column) => column.name === name)?.type
  if (type === undefined) throw damaged()
  return `(row ->> ${columns.indexOf(name)})::${type}`
}

/**
 * Adds the partitions that a table has in the file and lacks here. In the default partition its rows would be deleted one by one,
 * and each later partition would be added by reading all of them under a lock.
 */
async function addPartitions(
  tx: Tx,
  { name, partitions = [] }: ExportHeader['tables'][number],
): Promise<void> {
  if (partitions.length === 0) return
  const text = `select add_partition($1, p.name, p.begins, p.ends)
    from json_to_recordset($2) as p (name text, begins text, ends text)`
  await rawQuery(tx, text, [name, JSON.stringify(partitions)])
}

async function insertRows(
  tx: Tx,
  table: CatalogTable,
  columns: readonly string[],
  rows: readonly ExportRow[],
): Promise<void> {
  const names = columns.map(quoteName).join(', ')
  const values = columns.map((name) =>
    table.selfReferences.includes(name) ? 'null' : columnAt(table, name, columns),
  )
  const text = `insert into ${quoteName(table.name)} (${names})
    select ${values.join(', ')} from json_array_elements($1::json) as row`
  await rawQuery(tx, text, [JSON.stringify(rows)])
}

async function setSelfReferences(
  tx: Tx,
  table: CatalogTable,
  columns: readonly string[],
  rows: readonly ExportRow[],
): Promise<void> {
  const assignments = table.selfReferences.map(
    (name) => `${quoteName(name)} = ${columnAt(table, name, columns)}`,
  )
  const matches = table.primaryKey.map(
    (name) => `target.${quoteName(name)} = ${columnAt(table, name, columns)}`,
  )
  const text = `update ${quoteName(table.name)} as target set ${assignments.join(', ')}
    from json_array_elements($1::json) as row where ${matches.join(' and ')}`
  await rawQuery(tx, text, [JSON.stringify(rows)])
}

interface LineReader {
  /** Returns the next line as parsed JSON. Adds it to the sum unless it is the trailer. */
  next(kind: 'summed' | 'trailer'): Promise<unknown>
  hasEnded(): Promise<boolean>
  sum(): string
}

function createLineReader(source: AsyncIterable<Buffer>): LineReader {
  const lines = splitLines(source)
  const sum = createLineSum()
  return {
    async next(kind) {
      const { value, done } = await lines.next()
      if (done === true) throw damaged()
      if (kind === 'summed') sum.add(value)
      try {
        return JSON.parse(value) as unknown
      } catch (error) {
        throw damaged(error)
      }
    },
    hasEnded: async () => (await lines.next()).done === true,
    sum: () => sum.digest(),
  }
}

async function* readBatches(
  reader: LineReader,
  { columns, rows }: ExportHeader['tables'][number],
): AsyncGenerator<ExportRow[]> {
  let batch: ExportRow[] = []
  let characters = 0
  for (let count = 0; count < rows; count += 1) {
    const row = exportRow.parse(await reader.next('summed'))
    if (row.length !== columns.length) throw damaged()
    batch.push(row)
    for (const value of row) characters += value?.length ?? 0
    if (batch.length === batchRows || characters > batchCharacters) {
      yield batch
      batch = []
      characters = 0
    }
  }
  if (batch.length > 0) yield batch
}

async function importTables(
  tx: Tx,
  reader: LineReader,
  header: ExportHeader,
  onProgress: ImportOptions['onProgress'],
): Promise<void> {
  const catalog = await listTables(tx)
  for (const { name } of catalog.toReversed()) await rawQuery(tx, `delete from ${quoteName(name)}`)
  const totalRows = header.tables.reduce((total, { rows }) => total + rows, 0)
  let rows = 0
  for (const described of header.tables) {
    const table = catalog.find(({ name }) => name === described.name)
    if (table === undefined) throw damaged()
    await addPartitions(tx, described)
    // A row may reference one that comes later in the file, so references are set when all rows exist.
    const pointing: ExportRow[] = []
    const pointers = table.selfReferences.map((name) => described.columns.indexOf(name))
    for await (const batch of readBatches(reader, described)) {
      await insertRows(tx, table, described.columns, batch)
      pointing.push(...batch.filter((row) => pointers.some((index) => row[index] !== null)))
      rows += batch.length
      onProgress?.({ table: table.name, rows, totalRows })
    }
    if (pointing.length > 0) await setSelfReferences(tx, table, described.columns, pointing)
  }
}

async function importLines(
  tx: Tx,
  source: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<void> {
  const reader = createLineReader(source)
  const header = exportHeader.parse(await reader.next('summed'))
  await refuseUnfit(tx, header, options)
  await options.begin?.(tx)
  await importTables(tx, reader, header, options.onProgress)
  const trailer = exportTrailer.parse(await reader.next('trailer'))
  if (trailer.sha256 !== reader.sum() || !(await reader.hasEnded())) throw damaged()
}

/** Returns whether the file is at fault, and not the database. */
function isFileError(error: unknown): boolean {
  const state = sqlStateOf(error)
  if (state !== undefined) return state.startsWith('22') || state.startsWith('23')
  return error instanceof z.ZodError || error instanceof LineCutOff || isGzipError(error)
}

function isGzipError(error: unknown): boolean {
  return errorCodeOf(error)?.startsWith('Z_') ?? false
}

/**
 * Fills the database from a file that `exportDatabase` wrote, completely or not at all. Every published row counts as
 * changed by the import, so that running deliveries load all of it.
 *
 * @throws {ImportRefused} when the file is damaged or does not fit this server, or the database is not empty or in use.
 */
export async function importDatabase(
  store: Pick<Store, 'maintenance'>,
  input: Readable,
  options: ImportOptions,
): Promise<void> {
  await store.maintenance(async (tx) => {
    await refuseBesideNodes(tx)
    for (const statement of dumpSettingsSql) await rawQuery(tx, statement)
    const { signal } = options
    try {
      await pipeline(
        input,
        createGunzip(),
        (source: AsyncIterable<Buffer>) => importLines(tx, source, options),
        { ...(signal && { signal }) },
      )
    } catch (error) {
      throw isFileError(error) ? damaged(error) : error
    }
    await options.finish?.(tx)
  })
}
