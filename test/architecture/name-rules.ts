import { basename } from 'node:path'
import ts from 'typescript-5'
import { findingAt, isTestFile, nodesOf, type Finding, type SourceFile } from './source-files.ts'

// The service itself is started in start/; any other file of that name would be a bag of functions.
const bannedFileNames =
  /(^|[-/])(utils?|helpers?|commons?|managers?|misc)([-/.]|$)|(?<!\/start)\/services?[/.]/

/** Returns the faults of a file's name. The linter checks its length. */
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

/** Lists the words that the vocabulary defines more than once. */
export function repeatedWords(vocabulary: string): string[] {
  const rows = vocabulary.split('\n').filter((line) => /^\|\s*`/.test(line))
  const words = rows.flatMap((row) => quoted(row.split('|')[1]))
  return words.filter((word, index) => words.indexOf(word) < index)
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

/** Words that a stranger does not understand -> the word that the field has for the thing. */
const privateWords: ReadonlyMap<string, string> = new Map([
  ['place', 'ref, address, scope, target, path or position'],
  ['shelf', 'store or cache'],
  ['holding', 'store or cache'],
  ['ring', 'cache or index'],
  ['spool', 'write-ahead file'],
  ['door', 'listener or layout'],
  ['happening', 'event or subject'],
  ['hint', 'change, advice or notification'],
  ['dead', 'failed'],
  ['death', 'failure'],
  ['consent', 'confirmation'],
  ['heir', 'descendant'],
  ['loan', 'acquire and release'],
  ['borrow', 'acquire and release'],
  ['outbox', 'batcher'],
  ['outboxe', 'batcher'],
  ['seldom', 'low priority'],
  ['seldomer', 'low priority'],
  ['familiar', 'known'],
  ['tell', 'send, report or describe'],
  ['told', 'sent, reported or described'],
])

const participle = /^(?:asked|begun|found|given|kept|opened|seen|shown|wanted)$/i
/** The head of a chain of hashes, of a branch and of a range of commits, beside its base, are words of the field. */
const head = /(?:^h|(?<![Cc]hain)H)eads?(?=$|[A-Z])(?!Hash|Sha|Branch|Commit)/

/**
 * Lists by file the names that a release has promised: of JSON, and of stored states. Such a name changes with the version
 * of its format, and not because a word is private.
 */
const promisedNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['packages/cli/src/commands/definition/push.ts', ['kept']],
  ['packages/dashboard/src/screens/deployments/states.ts', ['wanted']],
  ['packages/dashboard/src/screens/deployments/workflows/describe-dispatch.ts', ['found']],
  ['packages/dashboard/src/screens/webhooks/delivery-row.tsx', ['dead']],
  ['packages/dashboard/src/screens/webhooks/search.ts', ['dead']],
])

/** The queue of jobs that failed for good is a dead letter queue everywhere. */
const deadLetter = /[dD]eadLetter/g

function privateWordOf(name: string): string | undefined {
  const word = wordsOf(name.replaceAll(deadLetter, '')).find((part) => privateWords.has(part))
  if (word !== undefined) return privateWords.get(word)
  if (participle.test(name)) return 'the thing, not its participle'
  return head.test(name) ? 'current or latest' : undefined
}

/** Lists declared names of the product that are words of nobody else. */
export function privateNames(file: SourceFile): Finding[] {
  if (isTestFile(file.path)) return []
  const promised = promisedNames.get(file.path) ?? []
  return [...nodesOf(file.tree)].flatMap((node) => {
    const name = declaredName(node)
    const instead = name === undefined ? undefined : privateWordOf(name.text)
    if (name === undefined || instead === undefined || promised.includes(name.text)) return []
    if (isHeadOfRange(node, name.text) || isHintOfError(node, name.text)) return []
    return [findingAt(file, name, `${name.text}: say ${instead}`)]
  })
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
