import { basename } from 'node:path'
import ts from 'typescript-5'
import { declaredName } from './private-names.ts'
import {
  findingAt,
  isSandboxFile,
  isTestFile,
  nodesOf,
  type Finding,
  type SourceFile,
} from './source-files.ts'

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
  const words = definedWords(vocabulary)
  return words.filter((word, index) => words.indexOf(word) < index)
}

/** Lists the words that the vocabulary defines and forbids. */
export function contradictedWords(vocabulary: string): string[] {
  const forbidden = readForbiddenWords(vocabulary)
  return definedWords(vocabulary).filter((word) => forbidden.has(word))
}

/** Lists the words of code that the vocabulary defines, and no name or path of the product has. */
export function unusedWords(vocabulary: string, files: readonly SourceFile[]): string[] {
  const ours = files.filter(({ path }) => path.startsWith('packages/'))
  const spoken = ours.map(({ path, text }) => `${path.replaceAll('-', '')}\n${text}`.toLowerCase())
  const words = rowsOf(vocabulary).flatMap(([first]) => quoted(first))
  return words.filter((word) => !spoken.some((text) => text.includes(word.toLowerCase())))
}

function definedWords(vocabulary: string): string[] {
  return rowsOf(vocabulary).flatMap(([first = '']) => {
    const words = quoted(first)
    return words.length === 0 ? [first.trim()] : words
  })
}

/** Returns the cells of each row of the table. */
function rowsOf(vocabulary: string): string[][] {
  const rows = vocabulary.split('\n').filter((line) => /^\|(?!\s*Word\b|-)/.test(line))
  return rows.map((row) => row.split('|').slice(1, -1))
}

/** Lists functions whose types break what their verb promises: `get…` has something, `list…` several, `render…` waits for nothing. */
export function brokenVerbs(file: SourceFile): Finding[] {
  if (isTestFile(file.path) || isSandboxFile(file.path)) return []
  return nodesOf(file.tree).flatMap((node) => {
    if (!ts.isFunctionDeclaration(node) && !ts.isMethodSignature(node)) return []
    const { name, type } = node
    if (name === undefined || type === undefined || !ts.isIdentifier(name)) return []
    // Of the web's Storage.
    if (name.text === 'getItem') return []
    const verb = /^[a-z]+(?=[A-Z])/.exec(name.text)?.[0] ?? ''
    const pattern = verbPromises.get(verb)
    if (pattern === undefined || !pattern.test(type.getText(file.tree))) return []
    return [findingAt(file, name, `${name.text} returns ${type.getText(file.tree)}`)]
  })
}

/** Verb -> types that break its promise. */
const verbPromises: ReadonlyMap<string, RegExp> = new Map([
  ['get', /\| (?:undefined|null)>?$/],
  ['list', /\| (?:undefined|null)>?$/],
  ['render', /^Promise</],
])

function quoted(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
}

/** Declared names that use a synonym the vocabulary forbids. Names that others gave are read, not declared. */
export function forbiddenNames(file: SourceFile, words: ReadonlyMap<string, string>): Finding[] {
  return nodesOf(file.tree).flatMap((node) => {
    const name = declaredName(node)
    if (name === undefined) return []
    const wrong = wordsOf(name.text).find((word) => words.has(word))
    if (wrong === undefined) return []
    return [findingAt(file, name.node, `${name.text}: say ${words.get(wrong)}, not ${wrong}`)]
  })
}

/** Lists the classes whose errors call themselves something else in logs than the class is called. */
export function misnamedErrors(file: SourceFile): Finding[] {
  return nodesOf(file.tree).flatMap((node) => {
    if (!ts.isPropertyDeclaration(node) || !ts.isIdentifier(node.name)) return []
    const { name, initializer, parent } = node
    if (name.text !== 'name' || initializer === undefined || !ts.isStringLiteral(initializer))
      return []
    if (!ts.isClassLike(parent) || parent.heritageClauses === undefined) return []
    const own = parent.name?.text ?? ''
    if (initializer.text === own || documentedErrors.get(own) === initializer.text) return []
    return [findingAt(file, initializer, `${own} calls itself ${initializer.text}`)]
  })
}

/** Maps the classes that exist only so that browsers do not download their sentences to the name that the documentation has. */
const documentedErrors: ReadonlyMap<string, string> = new Map([
  ['AdvisedError', 'ConfigError'],
  ['DevelopmentError', 'ConfigError'],
])

/** `tenantTables` -> `tenant`, `tables`, and the same without a plural's s. */
function wordsOf(name: string): string[] {
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
  return [...words, ...words.map((word) => word.replace(/s$/, ''))]
}
