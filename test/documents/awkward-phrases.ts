import ts from 'typescript-5'
import { findingAt, nodesOf, type Finding, type SourceFile } from '../architecture/source-files.ts'
import { findInText, withoutCode, type MarkdownFile } from './markdown-files.ts'

/** Describes a phrase at which a native reader stops. */
interface AwkwardPhrase {
  readonly name: string
  readonly pattern: RegExp
  /** Says what to write instead. */
  readonly instead: string
}

/**
 * Lists phrases that no text for people may have, in the words of `docs/writing.md`: name the actor and the thing. A text that
 * has a phrase in another meaning is better written with another word, so there are no exceptions.
 */
const awkwardPhrases: readonly AwkwardPhrase[] = [
  { name: 'at once', pattern: /\bat once\b/i, instead: 'immediately, together, or per request' },
  { name: 'whoever', pattern: /\bwhoever\b/i, instead: 'the person who …, or the role' },
  {
    name: 'who has',
    pattern:
      /(?<!\b(?:person|people|member|members|admin|owner|users?|somebody|anyone|everyone) )\bwho has\b/i,
    instead: 'the person who has …',
  },
  {
    name: 'of ours',
    pattern: /\b(?:of|none of) (?:ours|yours)\b/i,
    instead: 'Signalbox’s, or your …',
  },
  { name: 'told of', pattern: /\b(?:told|tells?|telling) of\b/i, instead: 'reported, announced' },
  {
    name: 'good for',
    pattern: /\bgood (?:for|once)\b/i,
    instead: 'valid for, expires after, works once',
  },
  {
    name: 'stands for',
    pattern: /\bstands? (?:in|for)\b/i,
    instead: 'appears in, simulates, means',
  },
  { name: 'is to be', pattern: /\bis to (?:be|become|have)\b/i, instead: 'becomes, has to be' },
  { name: 'for good', pattern: /\bfor good\b/i, instead: 'permanently' },
  { name: 'takes the place', pattern: /\btakes? (?:the|its) place\b/i, instead: 'replaces' },
  { name: 'says so', pattern: /\bsa(?:ys|y|id) so\b/i, instead: 'prints a notice, warns, names …' },
  { name: 'anew', pattern: /\banew\b/i, instead: 'again' },
  { name: 'for ever', pattern: /\bfor ever\b/i, instead: 'never changes, always' },
  { name: 'held back', pattern: /\bheld back\b/i, instead: 'waiting' },
  {
    name: 'takes no more',
    pattern: /\b(?:takes?|accepts?) (?:\w+ )?no more\b/i,
    instead: 'no longer accepts',
  },
  { name: 'nobody but', pattern: /\b(?:nobody|nothing|none) but\b/i, instead: 'only' },
  { name: 'in trouble', pattern: /\bin trouble\b/i, instead: 'fails, is unavailable' },
  { name: 'What no', pattern: /\bWhat no\b/, instead: 'everything else' },
  {
    name: 'on our side',
    pattern: /\bon (?:our|its) side\b/i,
    instead: 'the actor: Signalbox, GitHub …',
  },
  { name: 'begin again', pattern: /\bbeg[ia]n again\b/i, instead: 'start again' },
  { name: 'all the same', pattern: /\ball the same\b/i, instead: 'anyway' },
  { name: 'look whether', pattern: /\blook whether\b/i, instead: 'check whether' },
  {
    name: 'too, behind a noun',
    pattern: /, (?:browsers too|secrets included)\b/i,
    instead: 'including browsers, including secrets',
  },
  { name: 'in the place of', pattern: /\bin the place of\b/i, instead: 'instead of' },
  {
    name: 'one of ours',
    pattern: /\b(?:our|ours) (?:access|credentials|requests|copy)\b/i,
    instead: 'Signalbox’s …',
  },
  { name: 'is to be, in a rule', pattern: /\b(?:is|are) to be\b/i, instead: 'must be, becomes' },
  {
    name: 'by itself',
    pattern: /\bby (?:itself|themselves)\b/i,
    instead: 'automatically, on its own',
  },
  { name: 'a space before %', pattern: /(?:\d|^) %(?!\w)/, instead: '10%' },
  { name: 'took the place', pattern: /\btook (?:the|its) place\b/i, instead: 'replaced' },
]

/** Finds awkward phrases in the prose of a document. Code is left out. */
export function awkwardInDocument({ path, text }: MarkdownFile): Finding[] {
  const prose = { path, text: withoutCode(text) }
  return awkwardPhrases.flatMap(({ pattern, instead }) =>
    findInText(prose, new RegExp(pattern, `${pattern.flags}g`), ([phrase]) =>
      toDetail(phrase, instead),
    ),
  )
}

/** Returns whether any of them stands anywhere in a source: few have one, and to parse all of them takes seconds. */
function mayHavePhrase(source: string): boolean {
  const text = source.replaceAll(/(?:\s|\\[nrt])+/g, ' ')
  return text.includes(' %') || awkwardPhrases.some(({ pattern }) => pattern.test(text))
}

/** Finds awkward phrases in the strings and the JSX of a source file. Comments and names are left out. */
export function awkwardInStrings(file: SourceFile): Finding[] {
  if (!mayHavePhrase(file.text)) return []
  return [...nodesOf(file.tree)].filter(hasText).flatMap((node) => {
    const text = node.text.replaceAll(/\s+/g, ' ')
    return awkwardPhrases.flatMap(({ pattern, instead }) => {
      const [phrase] = pattern.exec(text) ?? []
      return phrase === undefined ? [] : [findingAt(file, node, toDetail(phrase, instead))]
    })
  })
}

type TextNode =
  | ts.StringLiteralLike
  | ts.JsxText
  | ts.TemplateHead
  | ts.TemplateMiddle
  | ts.TemplateTail

function hasText(node: ts.Node): node is TextNode {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isJsxText(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  )
}

function toDetail(phrase: string, instead: string): string {
  return `“${phrase}”: write ${instead}`
}
