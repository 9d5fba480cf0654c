import { Problem } from '@signalbox/contract'
import { commonPasswords, commonWords } from './frequent-passwords.ts'

/** Names what makes a password easy to guess. */
export type PasswordViolation = 'spaces' | 'repeated' | 'common'

const details: Readonly<Record<PasswordViolation, string>> = {
  spaces: 'It contains only spaces. Choose something that nobody can guess, such as a sentence.',
  repeated: 'It repeats one short text. Choose something longer, such as a sentence.',
  common:
    'It consists of common passwords, keyboard sequences or a year, which attackers try first. Choose something else, such as a sentence.',
}

/**
 * Refuses a new password that is guessed first (NIST SP 800-63B §3.1.1.2): spaces, repeats, sequences, and what consists of
 * common passwords. The detail says why and never holds the password.
 *
 * @throws {Problem} `validation_failed`, at `pointer`.
 */
export function requireUncommonPassword(password: string, pointer: `/${string}`): void {
  const violation = findPasswordViolation(password)
  if (violation === undefined) return
  const detail = details[violation]
  throw new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'validation_failed', detail }],
  })
}

/** Returns what makes a password easy to guess; `undefined`: nothing that is looked for. */
export function findPasswordViolation(password: string): PasswordViolation | undefined {
  const text = password.normalize('NFKC').toLowerCase().trim()
  if (text === '') return 'spaces'
  if (isRepeated(text)) return 'repeated'
  if (commonPasswords.has(text)) return 'common'
  const once = text.replaceAll(/(.)\1+/gsu, '$1')
  return isGuessed(text) || isGuessed(once) ? 'common' : undefined
}

/** Returns whether the text is at least two times the same one, the last of which may be cut. */
function isRepeated(text: string): boolean {
  for (let period = 1; period <= (text.length + 1) / 2; period += 1) {
    if (text.startsWith(text.slice(period))) return true
  }
  return false
}

/** Counts what a guess has to combine: each more of them costs an attacker a thousand times, or ten times. */
const [wordsMax, looseMax] = [2, 4]

/** Describes a way to write the beginning of a text: its common words, and its single digits, signs and spaces. */
interface Spelling {
  readonly words: number
  readonly loose: number
}

/** Returns whether the text consists of runs, at most two common words and at most four other signs. */
function isGuessed(text: string): boolean {
  const spellings: Spelling[][] = Array.from({ length: text.length + 1 }, () => [])
  spellings[0] = [{ words: 0, loose: 0 }]
  for (let at = 0; at < text.length; at += 1) {
    const before = spellings[at] ?? []
    if (before.length === 0) continue
    for (const part of partsAt(text, at)) {
      for (const one of before) add(spellings[part.end], one, part)
    }
  }
  return (spellings[text.length] ?? []).length > 0
}

/** Adds a spelling with one part more, unless it has too many parts, or another one has no more of them. */
function add(spellings: Spelling[] = [], before: Spelling, part: Spelling): void {
  const words = before.words + part.words
  const loose = before.loose + part.loose
  if (words > wordsMax || loose > looseMax) return
  const isKnown = spellings.some((one) => one.words <= words && one.loose <= loose)
  if (!isKnown) spellings.push({ words, loose })
}

interface Part extends Spelling {
  readonly end: number
}

const [shortestWord, longestWord, shortestRun] = [4, 11, 3]
const year = /^(?:19|20)\d\d/
const letter = /^\p{L}/u

function* partsAt(text: string, at: number): Generator<Part> {
  const rest = text.slice(at)
  for (let length = shortestWord; length <= longestWord; length += 1) {
    if (length <= rest.length && isCommonWord(rest.slice(0, length))) {
      yield { end: at + length, words: 1, loose: 0 }
    }
  }
  const run = runLength(rest)
  for (let length = shortestRun; length <= run; length += 1) {
    yield { end: at + length, words: 0, loose: 0 }
  }
  if (year.test(rest)) yield { end: at + 4, words: 0, loose: 1 }
  if (!letter.test(rest)) yield { end: at + 1, words: 0, loose: 1 }
}

/** Letters as people write them with digits and signs. */
const disguises: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '!': 'i',
}

function isCommonWord(text: string): boolean {
  if (commonWords.has(text)) return true
  const plain = text.replaceAll(/[^a-z]/g, (sign) => disguises[sign] ?? sign)
  return [plain.replaceAll('1', 'i'), plain.replaceAll('1', 'l')].some((word) =>
    commonWords.has(word),
  )
}

/** Rows and columns of keyboards, and what fingers do between them. Read in both directions. */
const keyRows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'qwertzuiopü',
  '1234567890qwertyuiopasdfghjklzxcvbnm',
  '1234567890qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  "asdfghjkl;'",
  'zxcvbnm,./',
  'yxcvbnm,.-',
  '1234567890-=',
  'qazwsxedcrfvtgbyhnujm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'zaq1xsw2cde3vfr4bgt5nhy6',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '0102030405060708091011121314',
  '1357924680',
]
const runs = keyRows.flatMap((row) => [row, row.split('').toReversed().join('')])

/** Returns how many characters at the beginning of `text` follow each other on a keyboard, or are the same. */
function runLength(text: string): number {
  const same = /^(.)\1*/su.exec(text)?.[0].length ?? 0
  const lengths = runs.map((row) => {
    let length = 0
    while (length < text.length && row.includes(text.slice(0, length + 1))) length += 1
    return length
  })
  return Math.max(same, ...lengths)
}
