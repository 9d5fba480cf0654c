import ts from 'typescript-5'
import { isOfSandbox, isPromised, privateWordOf, promisedWireNames } from './private-words.ts'
import { findingAt, isTestFile, nodesOf, type Finding, type SourceFile } from './source-files.ts'

/** Lists declared names of the product that are words of nobody else. */
export function privateNames(file: SourceFile): Finding[] {
  if (isTestFile(file.path)) return []
  return nodesOf(file.tree).flatMap((node) => {
    const name = declaredName(node)
    const instead = name === undefined ? undefined : privateWordOf(name.text)
    if (name === undefined || instead === undefined || isPromised(file.path, name.text)) return []
    if (isHeadOfRange(node, name.text) || isHintOfError(node, name.text)) return []
    if (isOfSandbox(file.path, name.text)) return []
    return [findingAt(file, name.node, `${name.text}: say ${instead}`)]
  })
}

/** Lists files and folders of the packages that are named by words of nobody else, tests too. */
export function privatePaths(files: readonly Pick<SourceFile, 'path'>[]): string[] {
  const names = files.flatMap(({ path }) => {
    const inPackage = /^packages\/[^/]+\/src\/(.*)$/.exec(path)?.[1] ?? ''
    return inPackage.split('/').map((name, depth, all) => ({
      name: name.replace(/\.(?:test|proof|test-d)?\.?tsx?$/, ''),
      path: `${path.slice(0, path.length - inPackage.length)}${all.slice(0, depth + 1).join('/')}`,
    }))
  })
  const found = names.flatMap(({ name, path }) => {
    const instead = privateWordOf(name)
    if (instead === undefined || isOfSandbox(path, name) || promisedWireNames.has(name)) return []
    return [`${path}: say ${instead}`]
  })
  return [...new Set(found)]
}

/** Lists names that others know, such as metrics, that are words of nobody else and that nothing promises. */
export function privateWireNames(names: Iterable<string>): string[] {
  return [...new Set(names)].flatMap((name) => {
    const instead = promisedWireNames.has(name) ? undefined : privateWordOf(name)
    return instead === undefined ? [] : [`${name}: say ${instead}`]
  })
}

const named = [
  /\bcreate (?:unlogged )?table (?:if not exists )?(\w+)/g,
  /\bcreate (?:unique )?index (?:concurrently )?(?:if not exists )?(\w+)/g,
  /\bcreate (?:or replace )?(?:function|procedure|view|trigger|policy|type|role|sequence|domain) (\w+)/g,
  /\badd column (?:if not exists )?(\w+)/g,
  /\bconstraint (\w+)/g,
  /\brename (?:column \w+ )?to (\w+)/g,
]

/** Lists the tables, columns, indexes, constraints, functions and triggers that statements create. */
export function createdSqlNames(sql: string): string[] {
  const text = sql.replaceAll(/--.*$/gm, '').toLowerCase()
  const others = named.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  )
  const tables = [...text.matchAll(/\bcreate (?:unlogged )?table [^(]*\(([\s\S]*?)\n\)/g)]
  const columns = tables.flatMap(([, body = '']) =>
    [...body.matchAll(/^\s*(\w+) /gm)].map(([, name = '']) => name),
  )
  return [...others, ...columns]
}

/** `compare(base, head)`, `{ base, head }` */
function isHeadOfRange({ parent }: ts.Node, name: string): boolean {
  if (name !== 'head') return false
  let hasBase = false
  ts.forEachChild(parent, (sibling) => {
    const { name: other } = sibling as ts.NamedDeclaration
    hasBase ||= other !== undefined && ts.isIdentifier(other) && other.text === 'base'
  })
  return hasBase
}

/** PostgreSQL's errors have a hint, and fields of forms: advice for a person. A notice that something changed is a change. */
function isHintOfError({ kind }: ts.Node, name: string): boolean {
  return name === 'hint' && properties.has(kind)
}

const properties: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PropertySignature,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertyAssignment,
])

const declarations: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.TypeParameter,
  ts.SyntaxKind.EnumDeclaration,
  ts.SyntaxKind.PropertySignature,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.SetAccessor,
])

interface DeclaredName {
  readonly node: ts.Identifier | ts.PrivateIdentifier
  /** Holds the name without the `#` of a private field. */
  readonly text: string
}

/** Returns the name that a node declares. A part that is taken out of something under its own name was declared there. */
export function declaredName(node: ts.Node): DeclaredName | undefined {
  const isAlias = ts.isBindingElement(node) && isRenaming(node)
  if (!isAlias && !declarations.has(node.kind)) return undefined
  const { name } = node as ts.NamedDeclaration
  if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name)))
    return undefined
  return { node: name, text: name.text.replace(/^#/, '') }
}

/** `{ own: name }` and `[name]`, and not `{ name }` */
function isRenaming({ parent, propertyName }: ts.BindingElement): boolean {
  return propertyName !== undefined || ts.isArrayBindingPattern(parent)
}
