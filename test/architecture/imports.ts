import { posix } from 'node:path'
import ts from 'typescript-5'
import { nodesOf, type SourceFile } from './source-files.ts'

/** One import or re-export. */
export interface Import {
  readonly node: ts.Node
  readonly specifier: string
  /** Says whether the compiler erases it. */
  readonly typeOnly: boolean
  /** The imported names; empty for a whole module. */
  readonly names: readonly string[]
}

/** Every import of `file`: static, dynamic with a literal, and `import('…')` types. */
export function importsOf(file: SourceFile): readonly Import[] {
  const known = importsOfFiles.get(file) ?? listImports(file)
  importsOfFiles.set(file, known)
  return known
}

/** Keeps the imports of each file, which half a dozen rules read. */
const importsOfFiles = new WeakMap<SourceFile, readonly Import[]>()

function listImports(file: SourceFile): Import[] {
  return nodesOf(file.tree).flatMap((node) => {
    const found = readImport(node)
    return found === undefined ? [] : [{ node, ...found }]
  })
}

function readImport(node: ts.Node): Omit<Import, 'node'> | undefined {
  if (ts.isImportDeclaration(node)) return readStatic(node.moduleSpecifier, node.importClause)
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return { specifier: literal(node.moduleSpecifier), typeOnly: node.isTypeOnly, names: [] }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments
    if (argument === undefined || !ts.isStringLiteralLike(argument)) return undefined
    return { specifier: argument.text, typeOnly: false, names: [] }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: literal(node.argument.literal), typeOnly: true, names: [] }
  }
  return undefined
}

function readStatic(
  specifier: ts.Expression,
  clause: ts.ImportClause | undefined,
): Omit<Import, 'node'> {
  const bindings = clause?.namedBindings
  const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : []
  const typeOnly =
    clause?.isTypeOnly === true ||
    (elements.length > 0 && clause?.name === undefined && elements.every((each) => each.isTypeOnly))
  return {
    specifier: literal(specifier),
    typeOnly,
    names: elements.map((each) => (each.propertyName ?? each.name).text),
  }
}

function literal(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : ''
}

/** The path that a relative import of `file` leads to. */
export function targetPath(file: SourceFile, specifier: string): string {
  return posix.join(posix.dirname(file.path), specifier)
}

/** The package that a bare import names. Example: `@signalbox/contract/rest` -> `@signalbox/contract`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
