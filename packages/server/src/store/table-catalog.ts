import { rawQuery } from './raw-query.ts'
import type { Tx } from './store.ts'

export interface TableColumn {
  readonly name: string
  /** Holds the type as PostgreSQL writes it. Example: `text[]`. */
  readonly type: string
}

/** Describes a partition that the service has added, by its bounds as `partition_ranges` writes them. */
export interface TablePartition {
  readonly name: string
  readonly begins: string
  readonly ends: string
}

/** Describes a table as it is in the database. */
export interface CatalogTable {
  readonly name: string
  /** Lists the columns, except those the database fills by itself, such as `changed_in`. */
  readonly columns: readonly TableColumn[]
  readonly primaryKey: readonly string[]
  /** Lists the nullable columns that reference rows of the same table. */
  readonly selfReferences: readonly string[]
  /** Lists the partitions but the default one, which a database has by its migrations. */
  readonly partitions: readonly TablePartition[]
}

interface CatalogRow extends CatalogTable {
  readonly references: readonly string[]
}

const catalogSql = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
       order by a.attnum)
     from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and a.atttypid <> 'xid8'::regtype) as columns,
    coalesce((select json_agg(a.attname) from pg_constraint k
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
     where k.conrelid = c.oid and k.contype = 'p'), '[]') as "primaryKey",
    coalesce((select json_agg(a.attname) from pg_constraint k
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey) and not a.attnotnull
     where k.conrelid = c.oid and k.confrelid = c.oid and k.contype = 'f'), '[]') as "selfReferences",
    coalesce((select json_agg(r.relname) from pg_constraint k join pg_class r on r.oid = k.confrelid
     where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '[]') as references,
    coalesce((select json_agg(p order by p.name) from partition_ranges(c.relname) p
     where c.relkind = 'p' and p.name ~ ('^' || c.relname || '_[0-9]{8}$')), '[]') as partitions
  from pg_class c
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and c.relpersistence = 'p'
    and not c.relispartition and c.relname not in ('signalbox_migrations', 'nodes', 'delivery_nodes')
  order by c.relname`

/** Sorts every table after those it references. */
function inOrder(tables: readonly CatalogRow[]): CatalogTable[] {
  const ordered: CatalogTable[] = []
  const done = new Set<string>()
  let waiting = [...tables]
  while (waiting.length > 0) {
    const ready = waiting.filter(({ references }) => references.every((name) => done.has(name)))
    if (ready.length === 0) throw new Error('Tables point to each other in a circle')
    for (const table of ready) done.add(table.name)
    ordered.push(...ready)
    waiting = waiting.filter(({ name }) => !done.has(name))
  }
  return ordered
}

/** Lists every permanent table of the service, referenced tables first. */
export async function listTables(tx: Tx): Promise<CatalogTable[]> {
  return inOrder(await rawQuery<CatalogRow>(tx, catalogSql))
}

/** Lists the migrations that were applied. */
export async function listMigrations(tx: Tx): Promise<string[]> {
  const rows = await rawQuery<{ name: string }>(
    tx,
    'select name from signalbox_migrations order by name',
  )
  return rows.map(({ name }) => name)
}

/** Quotes a name of the catalog for use in SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Lists the settings of an export or import. They make each value's text the same on every server, and allow a slow
 * reader or writer of the file.
 */
export const dumpSettingsSql = [
  `set local datestyle = 'ISO'`,
  `set local timezone = 'UTC'`,
  `set local bytea_output = 'hex'`,
  'set local idle_in_transaction_session_timeout = 0',
] as const
