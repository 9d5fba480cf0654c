import ts from 'typescript-5'
import { UnknownValue } from './choices.ts'

/** Describes a function of the program or of the language. */
export type Callable = (...args: readonly unknown[]) => unknown

/** Holds an argument that is evaluated once its value is needed: most are values of parameters, which nobody knows. */
export class Later {
  readonly find: () => unknown

  constructor(find: () => unknown) {
    this.find = find
  }
}

/** The functions of the program, in contrast to those of the language. */
export const ownCallables = new WeakSet()

/** Returns a value that is needed now. */
export function known(value: unknown): unknown {
  return value instanceof Later ? known(value.find()) : value
}

/** Holds the values of keywords. */
export const keywords: ReadonlyMap<ts.SyntaxKind, unknown> = new Map<ts.SyntaxKind, unknown>([
  [ts.SyntaxKind.TrueKeyword, true],
  [ts.SyntaxKind.FalseKeyword, false],
  [ts.SyntaxKind.NullKeyword, null],
])

/** Returns whether an expression has the value of the one inside of it. */
export function isWrapper(
  node: ts.Expression,
): node is
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.SatisfiesExpression
  | ts.NonNullExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  )
}

/** Holds the operators that are evaluated. */
export const operators: ReadonlyMap<
  ts.SyntaxKind,
  (left: unknown, right: () => unknown) => unknown
> = new Map([
  [ts.SyntaxKind.PlusToken, (left, right) => add(left, right())],
  [ts.SyntaxKind.MinusToken, (left, right) => Number(left) - Number(right())],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, (left, right) => left === right()],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, (left, right) => left !== right()],
  [ts.SyntaxKind.InKeyword, (left, right) => String(left) in Object(right())],
  [ts.SyntaxKind.QuestionQuestionToken, (left, right) => left ?? right()],
])

function add(left: unknown, right: unknown): unknown {
  return typeof left === 'number' ? left + Number(right) : `${String(left)}${String(right)}`
}

/** Follows an import to what it names. */
export function unalias(
  checker: ts.TypeChecker,
  symbol: ts.Symbol | undefined,
): ts.Symbol | undefined {
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol
}

/** Returns the values of a type of literals; `undefined` where it has others. */
export function literalsOf(type: ts.Type): (string | number | boolean)[] | undefined {
  const parts = type.isUnion() ? type.types : [type]
  const values = parts.map((part) => {
    if (part.isStringLiteral() || part.isNumberLiteral()) return part.value
    if ((part.flags & ts.TypeFlags.BooleanLiteral) === 0) return undefined
    return 'intrinsicName' in part && part.intrinsicName === 'true'
  })
  return values.some((value) => value === undefined)
    ? undefined
    : values.filter((value) => value !== undefined)
}

/** Returns a member of a value; a method of the language is bound to it. */
export function memberOf(value: unknown, key: unknown): unknown {
  if (value === null || value === undefined) throw new UnknownValue(`${String(key)} of nothing`)
  const member: unknown = Reflect.get(Object(value), String(key))
  if (typeof member !== 'function') return known(member)
  if (!Array.isArray(value)) return ownCallables.has(member) ? member : member.bind(value)
  if (key === 'push') return lazily(member.bind(value))
  return member.bind(handingOn.has(String(key)) ? value : value.map(known))
}

/** Methods of arrays that hand on elements and do not look at them. */
const handingOn: ReadonlySet<string> = new Set(['map', 'flatMap', 'filter', 'slice', 'at'])

/** Marks a function that takes arguments before they are evaluated. */
function lazily(callable: Callable): Callable {
  ownCallables.add(callable)
  return callable
}
