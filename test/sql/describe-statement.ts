import type pg from 'pg'
import type { TableCatalog } from './catalog.ts'
import {
  isNode,
  nodesAt,
  numberAt,
  parseNodeTree,
  wordAt,
  type TreeNode,
  type TreeValue,
} from './node-tree.ts'
import { nullableColumns } from './nullability.ts'

/** One column of what a statement answers. */
export interface DescribedColumn {
  readonly name: string
  /** As PostgreSQL writes it. Example: `timestamp with time zone`. */
  readonly type: string
  readonly nullable: boolean
}

/** Holds PostgreSQL's description of a statement. */
export interface DescribedStatement {
  readonly columns: readonly DescribedColumn[]
  readonly reads: ReadonlySet<string>
  readonly writes: ReadonlySet<string>
}

/** Matches commands, which PostgreSQL executes without a plan. */
const isCommand = /^\s*(set|lock)\b/

interface Prepared {
  readonly parameters: string[]
  readonly results: string[] | null
}

/**
 * Prepares a statement, and stores it as the body of a function to read the tree of its query.
 *
 * @throws {Error} as PostgreSQL does for what it refuses.
 */
export async function describeStatement(
  client: pg.Client,
  catalog: TableCatalog,
  text: string,
): Promise<DescribedStatement> {
  await client.query('begin')
  try {
    if (isCommand.test(text)) {
      await client.query(text)
      return { columns: [], reads: new Set(), writes: new Set() }
    }
    await client.query(`prepare described as ${text}`)
    const { rows } = await client.query<Prepared>(
      `select parameter_types::text[] as parameters, result_types::text[] as results
        from pg_prepared_statements where name = 'described'`,
    )
    const [prepared] = rows
    const types = prepared?.results ?? []
    const returns = types.length === 0 ? 'void' : 'setof record'
    await client.query(
      `create function described(${prepared?.parameters.join(', ') ?? ''}) returns ${returns} language sql begin atomic ${text}; end`,
    )
    const body = await client.query<{ tree: string }>(
      `select prosqlbody::text as tree from pg_proc where proname = 'described'`,
    )
    const query = findQuery(parseNodeTree(body.rows[0]?.tree ?? ''))
    if (query === undefined) throw new Error('PostgreSQL stored no query')
    const nullable = nullableColumns(query, catalog)
    const columns = namesOf(query).map((name, index) => ({
      name,
      type: types[index] ?? '',
      nullable: nullable[index] ?? true,
    }))
    return { columns: types.length === 0 ? [] : columns, ...tablesOf(query, catalog) }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

function findQuery(value: TreeValue): TreeNode | undefined {
  if (isNode(value)) return value.tag === 'QUERY' ? value : undefined
  return typeof value === 'string'
    ? undefined
    : value.map(findQuery).find((query) => query !== undefined)
}

function namesOf(query: TreeNode): string[] {
  const isSelect = wordAt(query, 'commandType') === '1'
  return nodesAt(query, isSelect ? 'targetList' : 'returningList')
    .filter((entry) => wordAt(entry, 'resjunk') !== 'true')
    .map((entry) => wordAt(entry, 'resname').replaceAll('\\', ''))
}

function tablesOf(
  query: TreeNode,
  { tables }: TableCatalog,
): Pick<DescribedStatement, 'reads' | 'writes'> {
  const reads = new Set<string>()
  const writes = new Set<string>()
  for (const each of queriesOf(query)) {
    const changed = numberAt(each, 'resultRelation')
    nodesAt(each, 'rtable').forEach((entry, index) => {
      const name = tables.get(numberAt(entry, 'relid'))
      if (name !== undefined && wordAt(entry, 'rtekind') === '0')
        (index + 1 === changed ? writes : reads).add(name)
    })
  }
  return { reads, writes }
}

function* queriesOf(value: TreeValue): Generator<TreeNode> {
  if (typeof value === 'string') return
  if (!isNode(value)) {
    for (const each of value) yield* queriesOf(each)
    return
  }
  if (value.tag === 'QUERY') yield value
  for (const field of value.fields.values()) yield* queriesOf(field)
}
