import type pg from 'pg'
import type { Migration } from '../migrations/migration.ts'

/** Describes one thing of a database: a table, a column, an index, a right. */
interface CatalogItem {
  readonly kind:
    | 'table'
    | 'column'
    | 'constraint'
    | 'index'
    | 'function'
    | 'trigger'
    | 'policy'
    | 'grant'
  readonly name: string
  /** Holds the table that it belongs to; null for a function. */
  readonly table: string | null
  /** Changes with what older releases depend on. */
  readonly value: string
  readonly isRequired: boolean
  readonly hasDefault: boolean
  readonly isValidated: boolean
  readonly isUnique: boolean
  /** Changes when a table is rewritten. */
  readonly file: string | null
}

/** Maps everything in a database by its kind and name. */
export type Catalog = ReadonlyMap<string, CatalogItem>

const nothing = `null::text as file, false as "isRequired", false as "hasDefault", true as "isValidated", false as "isUnique"`
const ownTables = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`
const catalogSql = [
  `select 'table' as kind, c.relname as name, c.relname as table, '' as value,
     false as "isRequired", false as "hasDefault", true as "isValidated", false as "isUnique", c.relfilenode::text as file
   from pg_class c where ${ownTables}`,
  `select 'column' as kind, c.relname || '.' || a.attname as name, c.relname as table,
     format_type(a.atttypid, a.atttypmod) as value, a.attnotnull as "isRequired",
     a.atthasdef or a.attidentity <> '' as "hasDefault", true as "isValidated", false as "isUnique", null as file
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped where ${ownTables}`,
  `select 'constraint' as kind, k.conname as name, c.relname as table, replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') as value,
     false as "isRequired", false as "hasDefault", k.convalidated as "isValidated", k.contype in ('p', 'u', 'x') as "isUnique", null as file
   from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype in ('c', 'f', 'p', 'u', 'x') where ${ownTables}`,
  `select 'index' as kind, i.relname as name, c.relname as table, pg_get_indexdef(i.oid) as value,
     false as "isRequired", false as "hasDefault", true as "isValidated", x.indisunique as "isUnique", null as file
   from pg_class c join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid where ${ownTables}
     and not exists (select from pg_constraint k where k.conindid = i.oid)`,
  `select 'function' as kind, p.oid::regprocedure::text as name, null as table, pg_get_function_result(p.oid) as value, ${nothing}
   from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  `select 'trigger' as kind, t.tgname as name, c.relname as table, '' as value, ${nothing}
   from pg_class c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal where ${ownTables}`,
  `select 'policy' as kind, p.policyname as name, p.tablename as table, concat(p.cmd, p.roles, p.qual, p.with_check) as value, ${nothing}
   from pg_policies p where p.schemaname = 'public'`,
  `select 'grant' as kind, concat(a.privilege_type, ' to ', r.rolname) as name, c.relname as table, '' as value, ${nothing}
   from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee where ${ownTables}`,
]

/** Reads everything that the migrations have made. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const items: CatalogItem[] = []
  for (const sql of catalogSql) items.push(...(await client.query<CatalogItem>(sql)).rows)
  return new Map(items.map((item) => [nameOf(item), item]))
}

function nameOf({ kind, name, table }: CatalogItem): string {
  return kind === 'column' || kind === 'table' || table === null
    ? `${kind} ${name}`
    : `${kind} ${name} of ${table}`
}

/** Lists what a migration may not do while releases before it are running. */
export interface Judgement {
  /** Takes away or changes what an older release may use. */
  readonly breaks: readonly string[]
  /** Keeps the nodes from writing for as long as a large table takes. */
  readonly blocks: readonly string[]
}

/** Compares the database before and after a migration. */
export function judgeMigration(
  before: Catalog,
  after: Catalog,
  { sql, indexes = [] }: Pick<Migration, 'sql' | 'indexes'>,
): Judgement {
  const breaks: string[] = []
  const blocks: string[] = []
  const isOld = (table: string | null) => before.has(`table ${table}`)
  for (const [name, old] of before) {
    const item = after.get(name)
    const change = describeChange(old, item)
    if (change !== undefined) breaks.push(`${name} ${change}`)
    if (item !== undefined && item.file !== old.file) blocks.push(`${name} is rewritten`)
  }
  const concurrent = new Set(indexes.map((index) => index.name))
  for (const [name, item] of after) {
    if (before.has(name) || !isOld(item.table)) continue
    const [broken, blocked] = judgeAddition(item, concurrent)
    if (broken !== undefined) breaks.push(`${name} ${broken}`)
    if (blocked !== undefined) blocks.push(`${name} ${blocked}`)
  }
  const changed = findChangedRows(sql).filter(isOld)
  blocks.push(...changed.map((table) => `rows of ${table} are changed: let a job do that`))
  return { breaks, blocks }
}

function describeChange(old: CatalogItem, item: CatalogItem | undefined): string | undefined {
  if (item === undefined) return 'is gone'
  if (item.value !== old.value) return 'is another'
  if (item.isRequired && !old.isRequired) return 'has become not null'
  return old.hasDefault && !item.hasDefault ? 'has lost its default' : undefined
}

/** Returns what an addition to an old table breaks, and what it blocks. */
function judgeAddition(
  { kind, name, isRequired, hasDefault, isUnique, isValidated }: CatalogItem,
  concurrent: ReadonlySet<string>,
): readonly [breaks: string | undefined, blocks: string | undefined] {
  const isMissing = isRequired && !hasDefault ? 'is not null and has no default' : undefined
  const breaks = isUnique ? 'refuses what an older release may write' : isMissing
  if (kind === 'constraint' && isValidated) return [breaks, 'reads every row: add it not valid']
  const isBlocking = kind === 'index' && !concurrent.has(name)
  return [breaks, isBlocking ? 'is not among the concurrent indexes' : undefined]
}

/** Lists the tables whose rows the statements change when they run, and not later in a function. */
function findChangedRows(sql: string): string[] {
  const statements = sql.replaceAll(/\bas \$(\w*)\$.*?\$\1\$/gs, '').replaceAll(/--.*$/gm, '')
  const changes =
    /\b(?:update\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set|delete\s+from\s+(\w+))\b/gi
  return [...statements.matchAll(changes)].map(([, updated, deleted]) => updated ?? deleted ?? '')
}
