import { basename } from 'node:path'
import ts from 'typescript-5'
import { findingAt, nodesOf, type Finding, type SourceFile } from './source-files.ts'

// The service itself is started in start/; any other file of that name would be a bag of functions.
const bannedFileNames =
  /(^|[-/])(utils?|helpers?|commons?|managers?|misc)([-/.]|$)|(?<!\/start)\/services?[/.]/

/** What is wrong with the name of a file. Its length is the linter's business. */
export function fileNameFaults(file: SourceFile): Finding[] {
  const findings: Finding[] = []
  const path = file.path.replace(/^examples\/[^/]+\//, '')
  if (bannedFileNames.test(path)) {
    findings.push({
      path: file.path,
      line: 1,
      detail: 'is named after no thing: say what it holds',
    })
  }
  if (!/^[a-z0-9.-]+$/.test(basename(file.path))) {
    findings.push({ path: file.path, line: 1, detail: 'is not named in kebab-case' })
  }
  return findings
}

/** Word that the vocabulary forbids -> the word to use. Read from the columns "Word" and "Not" of the table. */
export function readForbiddenWords(vocabulary: string): Map<string, string> {
  const rows = vocabulary.split('\n').filter((line) => /^\|\s*`/.test(line))
  return new Map(
    rows.flatMap((row) => {
      const cells = row.split('|').slice(1, -1)
      const [word = ''] = quoted(cells[0])
      return quoted(cells.at(-1)).map((forbidden) => [forbidden, word] as const)
    }),
  )
}

function quoted(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
}

/** Declared names that use a synonym the vocabulary forbids. Names that others gave are read, not declared. */
export function forbiddenNames(file: SourceFile, words: ReadonlyMap<string, string>): Finding[] {
  return [...nodesOf(file.tree)].flatMap((node) => {
    const name = declaredName(node)
    if (name === undefined) return []
    const wrong = wordsOf(name.text).find((word) => words.has(word))
    if (wrong === undefined) return []
    return [findingAt(file, name, `${name.text}: say ${words.get(wrong)}, not ${wrong}`)]
  })
}

const declarations: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.PropertySignature,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertyAssignment,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.MethodSignature,
])

function declaredName(node: ts.Node): ts.Identifier | undefined {
  if (!declarations.has(node.kind)) return undefined
  const { name } = node as ts.NamedDeclaration
  return name !== undefined && ts.isIdentifier(name) ? name : undefined
}

/** `tenantTables` -> `tenant`, `tables`, and the same without a plural's s. */
function wordsOf(name: string): string[] {
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
  return [...words, ...words.map((word) => word.replace(/s$/, ''))]
}
