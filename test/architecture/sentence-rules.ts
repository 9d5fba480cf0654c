import ts from 'typescript-5'
import { findingAt, isTestFile, nodesOf, type Finding, type SourceFile } from './source-files.ts'

/**
 * Lists the exports of the product's file whose sentence begins with no verb or says no more than the name, and those that have
 * none although their name is a single word. A type, and a name of several words such as `updateRun`, may say all by itself.
 */
export function sentenceFaults(file: SourceFile): Finding[] {
  if (isTestFile(file.path)) return []
  const exported = file.tree.statements.flatMap((statement) => declaredBy(statement))
  const described = new Set<string>()
  for (const { name, node } of exported) {
    if (beginsWithVerb(sentenceOf(file, node))) described.add(name)
  }
  return exported.flatMap(({ name, node, isType }, index) => {
    const isRepeated = exported.findIndex((other) => other.name === name) < index
    const sentence = sentenceOf(file, node)
    if (isRepeated || (sentence === undefined && described.has(name))) return []
    const fault = faultOf(name, sentence, isType)
    return fault === undefined ? [] : [findingAt(file, node, fault)]
  })
}

function faultOf(name: string, sentence: string | undefined, isType: boolean): string | undefined {
  const mayHaveNone = isType || wordsOf(name).length > 1
  if (sentence === undefined) return mayHaveNone ? undefined : `${name} has no sentence`
  if (!beginsWithVerb(sentence)) {
    return `${name}: its sentence begins with no verb: ${sentence.slice(0, 40)}`
  }
  return mayHaveNone && repeatsName(name, sentence)
    ? `${name}: its sentence repeats the name`
    : undefined
}

const emptyWords: ReadonlySet<string> = new Set(
  'the a an of to in for with by its is are which what that each one this and or as from dependencies input output result'.split(
    ' ',
  ),
)

/** Returns whether a sentence has no word but its verb that the name lacks: `updateRun`, "Updates a run." */
function repeatsName(name: string, sentence: string): boolean {
  if (/[@\d]|\bExample|https?:/.test(sentence)) return false
  const known = new Set(wordsOf(name).map(stemOf))
  const [, ...rest] = wordsOf(sentence)
  return rest.every((word) => emptyWords.has(word) || known.has(stemOf(word)))
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

function stemOf(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/(?:es|s|ed|ing|d)$/, '')
    .replace(/e$/, '')
}

interface Exported {
  readonly name: string
  readonly node: ts.Statement
  readonly isType: boolean
}

function declaredBy(statement: ts.Statement): Exported[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement)) {
    const names = statement.declarationList.declarations.map(({ name }) => name.getText())
    return names.map((name) => ({ name, node: statement, isType: false }))
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier }
  const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)
  return [{ name: name?.text ?? 'default', node: statement, isType }]
}

function sentenceOf(file: SourceFile, node: ts.Node): string | undefined {
  const comments = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []
  const texts = comments.map(({ pos, end }) => file.text.slice(pos, end))
  const sentence = texts.findLast((text) => text.startsWith('/**'))
  return sentence === undefined ? undefined : textOf(sentence)
}

/** Words at the beginning of a sentence that end like a verb of the third person and are none. */
const nonVerbs: ReadonlySet<string> = new Set(
  [
    'is was has does as its this these those his us less always perhaps yes',
    'announcements authors branches bytes channels codes comments constraints credentials deployments environments events',
    'facts faults headers heads invitations issues keys letters lines members messages organizations permissions rows rules',
    'schemas scopes seconds secrets settings snapshots tables texts tokens users values variables versions webhooks',
  ].flatMap((line) => line.split(' ')),
)

function beginsWithVerb(sentence = ''): boolean {
  const first = /^[A-Z][a-z]+(?:-[a-z]+)*(?=[ ,.:;]|$)/.exec(sentence)?.[0].toLowerCase()
  return first !== undefined && first.endsWith('s') && !nonVerbs.has(first)
}

const riddle = /^(?:How|What|Whatever|Whether|Who|Whoever|Whom|Whose|Which|Whichever)\b/
/** Matches such a word behind the beginning of a comment or of its next line. To look for comments properly takes far longer. */
const mayRiddle = /(?:\/\/|\*)\s*(?:How|Wh(?:at|ether|o|ich))/

/** Lists the comments of a file, of the product or its tests, that begin with a question word and name no thing. */
export function riddlingComments(file: SourceFile): Finding[] {
  if (!mayRiddle.test(file.text)) return []
  return commentsOf(file).flatMap(({ pos, text }) => {
    const word = riddle.exec(text)?.[0]
    if (word === undefined) return []
    const { line } = file.tree.getLineAndCharacterOfPosition(pos)
    return [{ path: file.path, line: line + 1, detail: `a comment begins with ${word}` }]
  })
}

interface Comment {
  readonly pos: number
  readonly text: string
}

/** Returns the comments of a file; lines with `//` below each other are one. */
function commentsOf(file: SourceFile): Comment[] {
  const ranges = new Map<number, ts.CommentRange>()
  for (const node of [...nodesOf(file.tree), file.tree.endOfFileToken]) {
    for (const position of [node.getFullStart(), node.getEnd()]) {
      const leading = ts.getLeadingCommentRanges(file.text, position) ?? []
      const trailing = ts.getTrailingCommentRanges(file.text, position) ?? []
      for (const range of [...leading, ...trailing]) ranges.set(range.pos, range)
    }
  }
  const sorted = [...ranges.values()].toSorted((a, b) => a.pos - b.pos)
  return sorted
    .filter((range, index) => !continues(file, sorted[index - 1], range))
    .map(({ pos, end }) => ({ pos, text: textOf(file.text.slice(pos, end)) ?? '' }))
}

function continues(file: SourceFile, before: ts.CommentRange | undefined, range: ts.CommentRange) {
  const line = ts.SyntaxKind.SingleLineCommentTrivia
  if (before?.kind !== line || range.kind !== line) return false
  return /^\n[ \t]*$/.test(file.text.slice(before.end, range.pos))
}

function textOf(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\/|\*)?\s?/, ''))
    .join(' ')
    .trim()
}
