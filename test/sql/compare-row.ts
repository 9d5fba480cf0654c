import ts from 'typescript-5'
import type { DescribedColumn } from './describe-statement.ts'

/** Returns in what the declared type of a row differs from the columns that PostgreSQL describes. */
export function compareRow(
  checker: ts.TypeChecker,
  { row, at }: { readonly row: ts.Type; readonly at: ts.Node },
  columns: readonly DescribedColumn[],
): string[] {
  const members = row.isUnion() ? row.types : [row]
  const declared = new Set(
    members.flatMap((member) => checker.getPropertiesOfType(member)).map(({ name }) => name),
  )
  const missing = [...declared].filter(
    (name) =>
      !columns.some((column) => column.name === name) &&
      members.every((member) => isRequired(member, name)),
  )
  return [
    ...missing.map((name) => `${name} is no column`),
    ...columns.flatMap((column) => {
      const types = members.flatMap((member) => {
        const property = checker.getPropertyOfType(member, column.name)
        return property === undefined ? [] : [checker.getTypeOfSymbolAtLocation(property, at)]
      })
      return types.length === 0
        ? [`${column.name} is not in the row type`]
        : compareColumn(checker, column, types)
    }),
  ]
}

function isRequired(member: ts.Type, name: string): boolean {
  const property = member.getProperty(name)
  return property !== undefined && (property.flags & ts.SymbolFlags.Optional) === 0
}

function compareColumn(
  checker: ts.TypeChecker,
  { name, type, nullable }: DescribedColumn,
  types: readonly ts.Type[],
): string[] {
  const parts = types.flatMap((each) => (each.isUnion() ? each.types : [each]))
  if (parts.some((part) => (part.flags & ts.TypeFlags.Unknown) !== 0)) return []
  const values = parts.filter(
    (part) => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0,
  )
  const takesNull = parts.some((part) => (part.flags & ts.TypeFlags.Null) !== 0)
  const wrong = values.find((part) => !holds(checker, part, type))
  return [
    ...(wrong === undefined ? [] : [`${name} is ${type}, not ${checker.typeToString(wrong)}`]),
    ...(nullable && !takesNull ? [`${name} may be null`] : []),
  ]
}

const numbers = /^(smallint|integer|bigint|real|double precision|oid)$/
const texts =
  /^(text|character varying|character|name|"char"|uuid|xid|xid8|numeric|inet|cidr|pg_lsn|regclass|pg_snapshot)$/
const moments = /^(timestamp with(out)? time zone|date)$/

/** Returns whether the driver hands over a value of this type for a column of `column`. */
function holds(checker: ts.TypeChecker, type: ts.Type, column: string): boolean {
  if (column.endsWith('[]')) return holdsArray(checker, type, column.slice(0, -'[]'.length))
  const name = type.symbol?.name
  if (column === 'json' || column === 'jsonb') return name !== 'Date' && name !== 'Buffer'
  if (column === 'boolean') return (type.flags & ts.TypeFlags.BooleanLike) !== 0
  if (column === 'bytea') return name === 'Buffer'
  if (numbers.test(column)) return (type.flags & ts.TypeFlags.NumberLike) !== 0
  if (texts.test(column)) return isText(type)
  return moments.test(column) && name === 'Date'
}

/** An element may be null whatever its column says: the catalog does not know. */
function holdsArray(checker: ts.TypeChecker, type: ts.Type, element: string): boolean {
  const declared = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
  if (declared === undefined || !checker.isArrayLikeType(type)) return false
  const parts = declared.isUnion() ? declared.types : [declared]
  return parts.every(
    (part) =>
      (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Unknown)) !== 0 ||
      holds(checker, part, element),
  )
}

function isText(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.StringLike) !== 0 ||
    (type.isIntersection() && type.types.some(isText))
  )
}
