import { cutText } from '@signalbox/contract'
import { findKeysOfAny } from '../../providers/issue-keys/issue-grammars.ts'
import type {
  IssueGrammar,
  KeyScope,
  KeyRepository,
  TrackedContainers,
} from '../../providers/tracker.ts'
import { inlineLinks } from './inline-links.ts'
import { readRevert, saysRevert, type Revert } from '../commits/reverts.ts'

/** Describes a text in which issue keys may stand. */
export interface IssueText {
  readonly source: KeyScope['source']
  readonly sha: string | null
  readonly text: string
}

/** Describes where a key was read. */
export interface IssueEvidence extends IssueText {
  /** The line that names it. */
  readonly text: string
  readonly isRevert: boolean
}

/** Describes a key, and everywhere it was read. */
export interface FoundKey {
  /** In its stored form. Example: `ABC-123`. */
  readonly key: string
  /** In the order of the texts. */
  readonly evidence: readonly IssueEvidence[]
}

/** Holds the keys of texts, and those that do not count. */
export interface FoundKeys {
  readonly keys: readonly FoundKey[]
  /** Texts that look like keys and do not count. */
  readonly ignored: readonly { readonly key: string; readonly reason: string }[]
  /** Keys beyond those that are kept or ignored, by name, so that none is dropped in silence. */
  readonly notLookedUp: readonly string[]
}

/** Says which keys count: how the tracker names issues, and what is tracked of it. */
export interface CountedKeys {
  readonly grammar: IssueGrammar
  /** Empty: no tracker is connected. */
  readonly tracked: TrackedContainers
  /**
   * Says that the issues are at another host than the code. A number alone means none of them then: in a text of the code's host it
   * names an issue or a request there.
   */
  readonly areElsewhere?: boolean
}

/** Says how the keys of the texts of one repository are read. */
export interface KeyReading extends CountedKeys {
  readonly repository: KeyRepository | null
}

/** Limits the keys of one deployment; a tracker is asked for a hundred of them with each call. */
export const issueKeysMax = 500
/** Says why a key beyond the limit is not looked up. */
export const tooManyReason = `Not looked up: a deployment keeps its first ${issueKeysMax} keys.`
/** Limits the names of further keys where their number is not limited otherwise: 1,000 commits can name a million. */
const notLookedUpMax = 5_000
/** Says why a key does not count whose project, team or repository is not tracked. */
export function untrackedReason({ grammar }: Pick<CountedKeys, 'grammar'>): string {
  return `Its ${grammar.container} is not tracked.`
}
const evidenceMax = 20
/** Limits what is stored of a text: those beyond the limit of a deployment are shown by name. */
const textKeysMax = 1_000
const lineMax = 300
const textBytesMax = 64 * 1024

/**
 * Finds the issue keys that `texts` name, first mention first, the first 500. Texts are in the order in which they happened:
 * the last mention tells whether a key was taken back.
 *
 * Only keys of what is tracked count, because `UTF-8` and `SHA-256` look like keys too.
 */
export function findIssueKeys(
  texts: readonly IssueText[],
  reading: KeyReading,
  namesMax: number = notLookedUpMax,
): FoundKeys {
  const evidenceByKey = new Map<string, IssueEvidence[]>()
  const ignored = new Map<string, string>()
  const excess = new Set<string>()
  const leave = (key: string) => {
    if (excess.size < namesMax) excess.add(key)
  }
  const named: NamedCommits = new Map()
  for (const of of texts) {
    const text = inlineLinks(cut(of.text))
    const revert = readRevert(text)
    const mentions = listMentions({ ...of, text }, revert, reading)
    const counted = mentions.filter(({ key }) => isTracked(key, reading))
    for (const { key } of mentions) {
      if (isTracked(key, reading) || ignored.has(key)) continue
      if (ignored.size < issueKeysMax) ignored.set(key, untrackedReason(reading))
      else leave(key)
    }
    const takenBack = revert.shas.flatMap((sha) => keysOfCommit(named, sha))
    for (const { key, line, isRevert } of [...counted, ...takenBack.map(namedBySha(revert))]) {
      const evidence = { source: of.source, sha: of.sha, text: line, isRevert }
      if (!addEvidence(evidenceByKey, key, evidence)) leave(key)
    }
    if (of.sha !== null) addCommit(named, { sha: of.sha, keys: counted.map(({ key }) => key) })
  }
  return {
    keys: [...evidenceByKey].map(([key, evidence]) => ({ key, evidence })),
    ignored: [...ignored].map(([key, reason]) => ({ key, reason })),
    notLookedUp: [...excess],
  }
}

/**
 * Returns the lines of a text that are stored so that its keys can be found again for another tracker or other projects: the first
 * line, those with keys, and those that revert a commit. A long line, such as the JSON of a payload, is reduced to its beginning and
 * its keys. `undefined`: nothing in the text looks like a key to any tracker.
 */
export function keepKeyLines(text: string, repository: KeyRepository | null): string | undefined {
  const where: KeyScope = { source: 'payload', repository, tracked: null }
  const keyLines: string[] = []
  const keys = new Set<string>()
  for (const [at, line] of inlineLinks(cut(text)).split('\n').entries()) {
    if (keys.size >= textKeysMax) break
    const named = findKeysOfAny(line, where).map((mention) => mention.text)
    if (at > 0 && named.length === 0 && !saysRevert(line)) continue
    for (const key of named) keys.add(key)
    keyLines.push(shorten(line.trimEnd(), named))
  }
  return keys.size === 0 ? undefined : keyLines.join('\n')
}

function shorten(line: string, named: readonly string[]): string {
  if (line.length <= lineMax) return line
  const beginning = endBeforeLink(endBeforeKey(cutText(line, lineMax / 2)))
  return [beginning, '…', ...[...new Set(named)].slice(0, textKeysMax)].join(' ').trimEnd()
}

/** Returns whether the last commit that names a key takes it back. A branch or a payload says nothing about that. */
export function isTakenBack(evidence: readonly IssueEvidence[]): boolean {
  return (
    evidence.findLast(({ source }) => source === 'commit' || source === 'api')?.isRevert ?? false
  )
}

interface NamedCommit {
  readonly sha: string
  readonly keys: readonly string[]
}

/** Commits by the beginning of their hashes: people write as little of one as git needs. */
type NamedCommits = Map<string, NamedCommit[]>
const shortHash = 7

function addCommit(named: NamedCommits, commit: NamedCommit): void {
  const beginning = commit.sha.slice(0, shortHash)
  named.set(beginning, [...(named.get(beginning) ?? []), commit])
}

function keysOfCommit(named: NamedCommits, hash: string): readonly string[] {
  const alike = named.get(hash.slice(0, shortHash)) ?? []
  return alike.findLast(({ sha }) => sha.startsWith(hash))?.keys ?? []
}

interface Mention {
  readonly key: string
  readonly line: string
  readonly isRevert: boolean
}

function listMentions({ source, text }: IssueText, revert: Revert, reading: KeyReading): Mention[] {
  const { grammar, tracked, areElsewhere = false } = reading
  const repository = areElsewhere ? null : reading.repository
  const find = (line: string) => grammar.findKeys(line, { source, repository, tracked })
  const quoted = revert.quoted && new Set(find(revert.quoted).map(({ key }) => key))
  const mentions = new Map<string, Mention>()
  for (const [at, line] of text.split('\n').entries()) {
    for (const { key } of find(line)) {
      if (mentions.has(key)) continue
      const inSubject = revert.inSubject && (!quoted || quoted.has(key))
      const isRevert = at === 0 ? inSubject : revert.inBody
      mentions.set(key, { key, line: cutText(line.trim(), lineMax), isRevert })
    }
  }
  return [...mentions.values()]
}

const namedBySha =
  ({ shas }: Revert) =>
  (key: string): Mention => ({
    key,
    line: cutText(`This reverts commit ${shas.join(', ')}`, lineMax),
    isRevert: true,
  })

/** Returns false where the key is beyond the limit. */
function addEvidence(
  evidenceByKey: Map<string, IssueEvidence[]>,
  key: string,
  evidence: IssueEvidence,
): boolean {
  const before = evidenceByKey.get(key)
  if (before !== undefined) {
    // The newest decides what became of the key and the oldest is kept, so the second oldest is dropped.
    if (before.length >= evidenceMax) before.splice(1, 1)
    before.push(evidence)
  } else if (evidenceByKey.size < issueKeysMax) {
    evidenceByKey.set(key, [evidence])
  } else {
    return false
  }
  return true
}

/** Returns whether what the issue of `key` is in is tracked. */
export function isTracked(key: string, { grammar, tracked }: CountedKeys): boolean {
  return tracked?.has(grammar.containerOf(key)) ?? true
}

const partOfKey = /[A-Za-z0-9_-]/

/** The first 64 KiB, without a key that the cut would make a shorter one of. */
function cut(text: string): string {
  if (Buffer.byteLength(text) <= textBytesMax) return text
  return endBeforeKey(Buffer.from(text).subarray(0, textBytesMax).toString())
}

function endBeforeKey(text: string): string {
  let end = text.length
  while (end > 0 && partOfKey.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** A number in the text of a link that is cut off would mean an issue of its own. */
function endBeforeLink(text: string): string {
  const start = text.lastIndexOf('[')
  return start === -1 || text.includes(')', start) ? text : text.slice(0, start)
}
