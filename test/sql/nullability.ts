import {
  isNode,
  nodeAt,
  nodesAt,
  numberAt,
  wordAt,
  type TreeNode,
  type TreeValue,
} from './node-tree.ts'

/** Holds what the catalog says of columns and functions. */
export interface Catalog {
  /** Columns that cannot be null, as `<oid of the table>.<number>`. */
  readonly notNull: ReadonlySet<string>
  /** Oids of functions that answer null only to null, and to each null, comparisons and arithmetic for example. */
  readonly strict: ReadonlySet<number>
  /** Oids of functions that never answer null: those that count, those that build JSON. */
  readonly never: ReadonlySet<number>
}

/** A query with those around it, the nearest first. */
interface Scope {
  readonly query: TreeNode
  readonly outer: Scope | undefined
  readonly catalog: Catalog
}

const subLinkOfRow = '4'
const commands = { select: '1' } as const
const kinds = { table: '0', subquery: '1', values: '5', cte: '6', groups: '9' } as const

/** Returns for each column of a query whether it may be null. In doubt it may. */
export function nullableColumns(query: TreeNode, catalog: Catalog): boolean[] {
  return columnsOf({ query, outer: undefined, catalog }).map(({ nullable }) => nullable)
}

interface Column {
  readonly nullable: boolean
}

function columnsOf(scope: Scope): Column[] {
  const { query } = scope
  const setOperations = nodeAt(query, 'setOperations')
  if (setOperations !== undefined) return columnsOfSet(scope, setOperations)
  const isSelect = wordAt(query, 'commandType') === commands.select
  return nodesAt(query, isSelect ? 'targetList' : 'returningList')
    .filter((entry) => wordAt(entry, 'resjunk') !== 'true')
    .map((entry) => ({ nullable: isNullable(scope, nodeAt(entry, 'expr')) }))
}

function columnsOfSet(scope: Scope, operation: TreeNode): Column[] {
  if (operation.tag === 'RANGETBLREF') {
    const subquery = rangeEntry(scope, numberAt(operation, 'rtindex'))
    return subquery === undefined ? [] : columnsOfEntry(scope, subquery)
  }
  const [left = [], right = []] = ['larg', 'rarg'].map((side) => {
    const part = nodeAt(operation, side)
    return part === undefined ? [] : columnsOfSet(scope, part)
  })
  return left.map((column, index) => ({
    nullable: column.nullable || (right[index]?.nullable ?? true),
  }))
}

function rangeEntry({ query }: Scope, index: number): TreeNode | undefined {
  return nodesAt(query, 'rtable')[index - 1]
}

/** Returns the columns of a subquery or of a common table expression, which may be one of an outer query. */
function columnsOfEntry(scope: Scope, entry: TreeNode): Column[] {
  const kind = wordAt(entry, 'rtekind')
  if (kind === kinds.subquery) {
    const query = nodeAt(entry, 'subquery')
    return query === undefined ? [] : columnsOf({ ...scope, query, outer: scope })
  }
  if (kind !== kinds.cte || wordAt(entry, 'self_reference') === 'true') return []
  const owner = scopeAbove(scope, numberAt(entry, 'ctelevelsup'))
  const cte =
    owner &&
    nodesAt(owner.query, 'cteList').find(
      (each) => wordAt(each, 'ctename') === wordAt(entry, 'ctename'),
    )
  const query = cte && nodeAt(cte, 'ctequery')
  return query === undefined ? [] : columnsOf({ ...scope, query, outer: owner })
}

function scopeAbove(scope: Scope | undefined, levels: number): Scope | undefined {
  return levels === 0 ? scope : scopeAbove(scope?.outer, levels - 1)
}

type Rule = (scope: Scope, node: TreeNode) => boolean

const isAnyArg: Rule = (scope, node) =>
  nodesAt(node, 'args').some((each) => isNullable(scope, each))
const isEveryArg: Rule = (scope, node) =>
  nodesAt(node, 'args').every((each) => isNullable(scope, each))
const isArg: Rule = (scope, node) => isNullable(scope, nodeAt(node, 'arg'))
const isNever: Rule = () => false
const isNullableCase: Rule = (scope, node) =>
  isNullable(scope, nodeAt(node, 'defresult')) ||
  nodesAt(node, 'args').some((when) => isNullable(scope, nodeAt(when, 'result')))

/** Kind of an expression -> whether it may be null. Any other kind may. */
const rules: ReadonlyMap<string, Rule> = new Map([
  ['VAR', isNullableVar],
  ['CONST', (_, node) => wordAt(node, 'constisnull') === 'true'],
  ['COALESCEEXPR', isEveryArg],
  ['COALESCE', isEveryArg],
  ['MINMAXEXPR', isEveryArg],
  ['MINMAX', isEveryArg],
  ['NULLTEST', isNever],
  ['BOOLEANTEST', isNever],
  ['DISTINCTEXPR', isNever],
  ['SQLVALUEFUNCTION', isNever],
  ['ROWEXPR', isNever],
  ['ROW', isNever],
  ['ARRAYEXPR', isNever],
  ['ARRAY', isNever],
  ['JSONCONSTRUCTOREXPR', isNever],
  ['RELABELTYPE', isArg],
  ['COERCEVIAIO', isArg],
  ['ARRAYCOERCEEXPR', isArg],
  ['COLLATEEXPR', isArg],
  ['BOOLEXPR', isAnyArg],
  ['SCALARARRAYOPEXPR', isAnyArg],
  ['OPEXPR', (scope, node) => isNullableCall(scope, node, 'opfuncid')],
  ['FUNCEXPR', (scope, node) => isNullableCall(scope, node, 'funcid')],
  ['AGGREF', isNullableAggregate],
  ['WINDOWFUNC', ({ catalog }, node) => !catalog.never.has(numberAt(node, 'winfnoid'))],
  ['CASEEXPR', isNullableCase],
  ['CASE', isNullableCase],
  ['SUBLINK', isNullableSubLink],
])

function isNullable(scope: Scope, node: TreeNode | undefined): boolean {
  return node === undefined || (rules.get(node.tag)?.(scope, node) ?? true)
}

function isNullableCall(scope: Scope, node: TreeNode, field: string): boolean {
  const { never, strict } = scope.catalog
  const oid = numberAt(node, field)
  return !never.has(oid) && (!strict.has(oid) || isAnyArg(scope, node))
}

/** A group has at least one row: what goes through its rows finds a value there, unless a filter takes them away. */
function isNullableAggregate(scope: Scope, node: TreeNode): boolean {
  const { catalog, query } = scope
  const oid = numberAt(node, 'aggfnoid')
  if (catalog.never.has(oid)) return false
  const isOfGroup =
    nodesAt(query, 'groupClause').length > 0 && nodeAt(node, 'aggfilter') === undefined
  const args = nodesAt(node, 'args').map((entry) => nodeAt(entry, 'expr'))
  return !isOfGroup || !catalog.strict.has(oid) || args.some((arg) => isNullable(scope, arg))
}

/** A query of one row is never empty when it aggregates and groups by nothing. */
function isNullableSubLink(scope: Scope, node: TreeNode): boolean {
  if (wordAt(node, 'subLinkType') !== subLinkOfRow) return false
  const query = nodeAt(node, 'subselect')
  if (query === undefined) return true
  const isOneRow =
    wordAt(query, 'hasAggs') === 'true' &&
    nodesAt(query, 'groupClause').length === 0 &&
    nodeAt(query, 'havingQual') === undefined
  const isConstant = nodesAt(query, 'rtable').length === 0
  const [column] = columnsOf({ ...scope, query, outer: scope })
  return (!isOneRow && !isConstant) || (column?.nullable ?? true)
}

function isNullableVar(scope: Scope, node: TreeNode): boolean {
  const owner = scopeAbove(scope, numberAt(node, 'varlevelsup'))
  if (owner === undefined) return true
  const index = numberAt(node, 'varno')
  const column = numberAt(node, 'varattno')
  const nullingJoins = node.fields.get('varnullingrels')
  if (isRequired(owner, index, column)) return false
  if (Array.isArray(nullingJoins) && nullingJoins.length > 1) return true
  const entry = rangeEntry(owner, index)
  if (entry === undefined) return true
  switch (wordAt(entry, 'rtekind')) {
    case kinds.table:
      // A system column, such as xmin, or the whole row.
      return column > 0 && !owner.catalog.notNull.has(`${wordAt(entry, 'relid')}.${column}`)
    case kinds.groups:
      return isNullable(owner, nodesAt(entry, 'groupexprs')[column - 1])
    case kinds.values:
      return isNullableInValues(owner, entry, column)
    default:
      return columnsOfEntry(owner, entry)[column - 1]?.nullable ?? true
  }
}

function isNullableInValues(scope: Scope, entry: TreeNode, column: number): boolean {
  const lists = entry.fields.get('values_lists')
  if (!Array.isArray(lists)) return true
  return lists.some((list: TreeValue) => {
    const value: unknown = Array.isArray(list) ? list[column - 1] : undefined
    return isNullable(scope, isNode(value as TreeValue) ? (value as TreeNode) : undefined)
  })
}

/** Returns whether the condition of a query is true of no row in which the column is null. */
function isRequired({ query, catalog }: Scope, index: number, column: number): boolean {
  const isColumn = (node: TreeNode | undefined): boolean =>
    node?.tag === 'RELABELTYPE'
      ? isColumn(nodeAt(node, 'arg'))
      : node?.tag === 'VAR' &&
        numberAt(node, 'varlevelsup') === 0 &&
        numberAt(node, 'varno') === index &&
        numberAt(node, 'varattno') === column
  const jointree = nodeAt(query, 'jointree')
  const condition = jointree && nodeAt(jointree, 'quals')
  return condition !== undefined && requires(condition, { catalog, isColumn })
}

function requires(
  condition: TreeNode,
  of: { readonly catalog: Catalog; readonly isColumn: (node: TreeNode | undefined) => boolean },
): boolean {
  const args = nodesAt(condition, 'args')
  switch (condition.tag) {
    case 'BOOLEXPR': {
      const kind = wordAt(condition, 'boolop')
      if (kind === 'and') return args.some((arg) => requires(arg, of))
      return kind === 'or' && args.every((arg) => requires(arg, of))
    }
    case 'NULLTEST':
      return wordAt(condition, 'nulltesttype') === '1' && of.isColumn(nodeAt(condition, 'arg'))
    case 'SCALARARRAYOPEXPR':
      return of.isColumn(args[0])
    case 'OPEXPR':
      return of.catalog.strict.has(numberAt(condition, 'opfuncid')) && args.some(of.isColumn)
    default:
      return false
  }
}
