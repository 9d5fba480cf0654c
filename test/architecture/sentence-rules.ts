import ts from 'typescript-5'
import { findingAt, isTestFile, nodesOf, type Finding, type SourceFile } from './source-files.ts'

/** Lists the exports of the product's file that have no sentence, and those whose sentence begins with no verb. */
export function exportsWithoutSentence(file: SourceFile): Finding[] {
  if (isTestFile(file.path)) return []
  const exported = file.tree.statements.flatMap((statement) => declaredBy(statement))
  const described = new Set<string>()
  for (const { name, node } of exported) {
    if (beginsWithVerb(sentenceOf(file, node))) described.add(name)
  }
  return exported.flatMap(({ name, node, isInferred }, index) => {
    const isRepeated = exported.findIndex((other) => other.name === name) < index
    if (isRepeated || isInferred || described.has(name)) return []
    const sentence = sentenceOf(file, node)
    const detail =
      sentence === undefined
        ? `${name} has no sentence`
        : `${name}: its sentence begins with no verb: ${sentence.slice(0, 40)}`
    return [findingAt(file, node, detail)]
  })
}

interface Exported {
  readonly name: string
  readonly node: ts.Statement
  /** A type that is made of a schema says what the schema says. */
  readonly isInferred: boolean
}

function declaredBy(statement: ts.Statement): Exported[] {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement)) {
    const names = statement.declarationList.declarations.map(({ name }) => name.getText())
    return names.map((name) => ({ name, node: statement, isInferred: false }))
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier }
  const isInferred =
    ts.isTypeAliasDeclaration(statement) &&
    /^(?:z\.(?:infer|input|output)|\(?typeof )\b/.test(statement.type.getText())
  return [{ name: name?.text ?? 'default', node: statement, isInferred }]
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

/** Lists the comments of the product's file that begin with a question's word, and name no thing. */
export function riddlingComments(file: SourceFile): Finding[] {
  if (isTestFile(file.path)) return []
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
