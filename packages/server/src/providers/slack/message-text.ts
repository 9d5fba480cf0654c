/**
 * Text for mrkdwn that cannot get out of its place: whatever a run holds, it mentions nobody, links nowhere and formats
 * nothing but by its type.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
import { toLine, type MessageText, type TextRun, type Tone } from '../chat/chat-message.ts'
import { linkLength, toAddress, toneSigns, wordJoiner } from '../chat/plain-text.ts'

/** Slack draws the bare character as a picture too, and the messages in channels have it. */
const signs: Readonly<Record<Tone, string>> = { ...toneSigns, waiting: '⏸' }

/**
 * Finds the delimiters of mrkdwn. An underscore within a word, as in `smtp_host`, formats nothing and is copied as it is.
 */
const delimiter = /[*~`|]|(?<![a-z0-9])_|_(?![a-z0-9])/gi

/** Maps delimiters to characters that look like them and mean nothing. */
const delimiters: Readonly<Record<string, string>> = {
  '*': '\u2217',
  _: '\u02cd',
  '~': '\u223c',
  '`': '\u02cb',
  // Ends the address of a link.
  '|': '\u2223',
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The beginning of an emoji by name, such as `:tada:`. */
const emojiName = /:(?=[\w+'\u02cd-]+:)/g

/** Returns a text as mrkdwn, as one line. Slack takes an escaped `>` at its beginning for a quotation, as people type it. */
export function toMrkdwn(text: MessageText): string {
  const line = runsToMrkdwn(text)
  return line.startsWith('&gt;') ? `${wordJoiner}${line}` : line
}

function runsToMrkdwn(text: MessageText): string {
  return text.map(runToMrkdwn).join('')
}

function runToMrkdwn(run: TextRun): string {
  if (typeof run === 'string') return escapeText(run)
  switch (run.type) {
    case 'sign':
      return signs[run.tone]
    case 'quote':
      return escapeText(run.text, run.max)
    case 'code':
      return escapeCode(run.text, run.max)
    case 'strong':
      return `*${runsToMrkdwn(run.text)}*`
    case 'link':
      return linkTo(run.url, runsToMrkdwn(run.text))
  }
}

/** Returns a text for a title: in plain text nothing is read as markup but emoji by name, which stay names. */
export function toPlainText(text: MessageText, maxLength: number): string {
  return toPlainLine(text.map(runToPlainText).join(''), maxLength)
}

function runToPlainText(run: TextRun): string {
  if (typeof run === 'string') return run
  switch (run.type) {
    case 'sign':
      return signs[run.tone]
    case 'quote':
    case 'code':
      return fitCharacters(keepEmojiNames(run.text), run.max, (character) => character)
    case 'strong':
    case 'link':
      return run.text.map(runToPlainText).join('')
  }
}

function toPlainLine(text: string, maxLength: number): string {
  return fitCharacters(keepEmojiNames(toLine(text)), maxLength, (character) => character)
}

function keepEmojiNames(line: string): string {
  return line.replaceAll(emojiName, `$&${wordJoiner}`)
}

/** Returns as many characters as fit once each is encoded, so that neither one nor its encoding is cut in half. */
function fitCharacters(
  line: string,
  maxLength: number,
  encode: (character: string) => string,
): string {
  let fitting = ''
  let fittingWithMark = ''
  // A joiner belongs to the character that it breaks.
  for (const character of line.match(/[^]\u2060?/gu) ?? []) {
    const next = fitting + encode(character)
    if (next.length > maxLength) return `${fittingWithMark}…`
    fitting = next
    if (fitting.length < maxLength) fittingWithMark = fitting
  }
  return fitting
}

function escapeEntity(character: string): string {
  return entities[character] ?? character
}

/** Returns a text as itself, in at most `maxLength` characters: it mentions nobody, links nowhere, formats nothing. */
function escapeText(text: string, maxLength = Infinity): string {
  const line = text.replaceAll(delimiter, (character) => delimiters[character] ?? '')
  const inert = keepEmojiNames(line)
    // Mentions, channels, addresses that clients make links of.
    .replaceAll(/[@#]|:(?=\/\/)/g, `$&${wordJoiner}`)
  return fitCharacters(inert, maxLength, escapeEntity)
}

function escapeCode(text: string, maxLength: number): string {
  const line = text.replaceAll('`', delimiters['`'] ?? '')
  return line === '' ? '' : `\`${fitCharacters(line, maxLength, escapeEntity)}\``
}

/** Links a label of mrkdwn; returns the label alone where the address is none that a browser opens, missing or too long. */
function linkTo(url: string | null, label: string): string {
  const address = url === null ? undefined : toAddress(url, /[|<>`*~\s]/g)
  const escaped = address?.replaceAll('&', escapeEntity)
  const isLinked = escaped !== undefined && escaped.length <= linkLength && label !== ''
  return isLinked ? `<${escaped}|${label}>` : label
}
