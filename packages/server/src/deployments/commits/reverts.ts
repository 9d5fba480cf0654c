/** Describes what a message takes back, in the words that git, code hosts and people write into it. */
export interface Revert {
  /** The part of the first line that is another commit's; `undefined`: it quotes none, so all of the line counts. */
  readonly quoted: string | undefined
  /** Keys on the first line are taken back: in `quoted`, where there is such a part. */
  readonly inSubject: boolean
  /** Keys on the other lines are. */
  readonly inBody: boolean
  /** Hashes of the commits it names, of which seven digits are enough. */
  readonly shas: readonly string[]
}

/** Matches what people write before: `MINOR: `, `[release/2.0] `, `chore(api)!: `, `ABC-9; `, or `ABC-9 ` before a quote. */
const label =
  /^(?:\[[^\]]{1,60}\]|[A-Za-z0-9_-]{1,40}(?:\([^)]{1,60}\))?!?[:;]|[A-Z0-9][A-Z0-9_]{0,9}-[1-9][0-9]{0,8}(?= [Rr]\w{5,9} ["'`“‘«])) {0,4}/
const verb = /^(revert|re-?apply|re-?land)(?:s|ed|ing)?(?:\([^)]{1,60}\))?!?(:?) {0,4}(["'`“‘«]?)/i
const closings: Readonly<Record<string, string>> = { '“': '”', '‘': '’', '«': '»' }
/** Matches a key in whichever tracker's form. */
const key = String.raw`\[?(?:[A-Z0-9][A-Z0-9_]{0,9}-|[A-Za-z0-9_./-]{0,200}#)[1-9][0-9]{0,8}\b\]?`
/** Matches what follows `Revert ` where it is keys: one, or several as in `ABC-5, ABC-6 and ABC-7`. */
const namedKeys = new RegExp(
  String.raw`^revert(?:s|ed|ing)? (${key}(?:(?:,? {1,2}(?:and|&|\+) {1,2}| ?[,/] ?| ?)${key}){0,20})`,
  'i',
)
const namedSha = /^reverts? (?:commit )?[0-9a-f]{7,64}\b/i
const saidOpening =
  /^[^A-Za-z0-9]{0,4}(?:this (?:(?:commit|patch|change) )?)?reverts? (?:commits?\b|merge request\b|[0-9a-f]{7,64}\b)/i
const hash = /\b[0-9a-f]{7,64}\b/g
const shasMax = 100

/** Returns whether a line says which commit is taken back, as in `This reverts commit 0a1b2c3.` */
export function saysRevert(line: string): boolean {
  return saidOpening.test(line)
}

/**
 * Reads whether a commit takes others back. `Revert "ABC-5 Add login"` does, and so does `revert: ABC-5 add login`. A revert of a
 * revert brings back, and so does `Reapply "…"`, which git writes for one. Where the first line quotes nothing, `This reverts
 * commit …` in the body decides.
 */
export function readRevert(message: string): Revert {
  const lines = message.split('\n')
  const subject = lines[0] ?? ''
  const quote = readQuotes(subject)
  const said = lines.filter((line, at) => (at === 0 ? namedSha.test(line) : saysRevert(line)))
  const isRevert = quote?.isRevert ?? said.length > 0
  return {
    quoted: quote?.text,
    inSubject: isRevert,
    // The text below a quoted subject says why, and often names the issue of the defect.
    inBody: quote === undefined && isRevert,
    shas: isRevert ? said.flatMap(readHashes).slice(0, shasMax) : [],
  }
}

/** A merge is taken back as `… commit <it>, reversing changes made to <its parent>`. */
function readHashes(line: string): string[] {
  const [named = ''] = line.split(' reversing ', 1)
  return named.match(hash) ?? []
}

interface Quote {
  readonly text: string
  readonly isRevert: boolean
}

/** Returns what the subject quotes, and whether it takes it back in the end; `undefined` when it quotes nothing. */
function readQuotes(subject: string): Quote | undefined {
  const keys = readNamedKeys(subject)
  if (keys !== undefined) return { text: keys, isRevert: true }
  let rest = subject
  let isRevert: boolean | undefined
  for (;;) {
    const { opening, name, mark, rest: text } = readOpening(rest)
    // A label of what is quoted belongs to it, unless another quote follows.
    if (opening === '') return isRevert === undefined ? undefined : { text: rest, isRevert }
    rest = isRevert === undefined && mark !== '' ? endAt(text, closings[mark] ?? mark) : text
    isRevert = /^revert/i.test(name) ? !(isRevert ?? false) : (isRevert ?? false)
  }
}

/** Returns the keys that a subject takes back by name, behind any number of labels; `undefined` where it names none. */
function readNamedKeys(subject: string): string | undefined {
  let rest = subject
  for (;;) {
    const keys = namedKeys.exec(rest)?.[1]
    const [before = ''] = label.exec(rest) ?? []
    if (keys !== undefined || before === '') return keys
    rest = rest.slice(before.length)
  }
}

/** Reads a verb and the mark of what it quotes, behind any number of labels. `opening` is empty where there is none. */
function readOpening(text: string) {
  let rest = text
  for (;;) {
    const [opening = '', name = '', colon = '', mark = ''] = verb.exec(rest) ?? []
    if (colon !== '' || mark !== '')
      return { opening, name, mark, rest: rest.slice(opening.length) }
    const [before = ''] = label.exec(rest) ?? []
    if (before === '') return { opening: '', name, mark, rest }
    rest = rest.slice(before.length)
  }
}

/** Returns the text before the last `closing`; all of it, where a long subject was cut before that. */
function endAt(text: string, closing: string): string {
  const end = text.lastIndexOf(closing)
  return end === -1 ? text : text.slice(0, end)
}
