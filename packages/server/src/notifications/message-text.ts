/**
 * Text for mrkdwn that cannot get out of its place. Everything that comes from commits, branches, issues and people goes
 * through `quoteText`, `quoteCode` or `linkTo`; what is ours is written as it is.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */

/** Breaks a word for the eye of a parser and not for that of a person. */
const wordJoiner = '\u2060'

/** Delimiters of mrkdwn, and characters that look like them and mean nothing. */
const delimiters: Readonly<Record<string, string>> = {
  '*': '\u2217',
  _: '\u02cd',
  '~': '\u223c',
  '`': '\u02cb',
  // Ends the address of a link.
  '|': '\u2223',
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const linkLength = 500

/** The beginning of an emoji by name, such as `:tada:`. */
const emojiName = /:(?=[\w+'\u02cd-]+:)/g

/**
 * One line of plain text without what is not seen: line breaks, control characters, marks that turn the direction of
 * writing. Emoji by name stay names.
 */
export function toPlainLine(text: string, maxLength: number): string {
  const line = toLine(text).replaceAll(emojiName, `$&${wordJoiner}`)
  return fitCharacters(line, maxLength, (character) => character)
}

function toLine(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
      // The joiner of emoji is the one invisible character that people need.
      .replaceAll(/(?!\u200d)[\p{Cf}\p{Co}]/gu, '')
      .trim()
  )
}

/** As many characters as fit once each is encoded, so that neither one nor its encoding is cut in half. */
function fitCharacters(
  line: string,
  maxLength: number,
  encode: (character: string) => string,
): string {
  let kept = ''
  let keptWithMark = ''
  // A joiner belongs to the character that it breaks.
  for (const character of line.match(/[^]\u2060?/gu) ?? []) {
    const next = kept + encode(character)
    if (next.length > maxLength) return `${keptWithMark}…`
    kept = next
    if (kept.length < maxLength) keptWithMark = kept
  }
  return kept
}

function escapeEntity(character: string): string {
  return entities[character] ?? character
}

/** Foreign text as itself, in at most `maxLength` characters: it mentions nobody, links nowhere, formats nothing. */
export function quoteText(text: string, maxLength: number): string {
  const line = toLine(text)
    .replaceAll(/[*_~`|]/g, (character) => delimiters[character] ?? '')
    .replaceAll(emojiName, `$&${wordJoiner}`)
    // Mentions, channels, addresses that clients make links of.
    .replaceAll(/[@#]|:(?=\/\/)/g, `$&${wordJoiner}`)
  return fitCharacters(line, maxLength, escapeEntity)
}

/** Foreign text in the type of code, for what people copy: branches, hashes. Empty text has no such form. */
export function quoteCode(text: string, maxLength: number): string {
  const line = toLine(text).replaceAll('`', delimiters['`'] ?? '')
  return line === '' ? '' : `\`${fitCharacters(line, maxLength, escapeEntity)}\``
}

/**
 * A link with a label that is mrkdwn already, or the label alone where the address is none that a browser opens, is
 * missing, or is too long.
 */
export function linkTo(url: string | null, label: string): string {
  const address = url === null ? undefined : toAddress(url)
  return address === undefined || label === '' ? label : `<${address}|${label}>`
}

function toAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, username, password, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  // `https://bank.example@evil.example` says one host and opens another.
  if (username !== '' || password !== '') return undefined
  const address = href.replaceAll(/[|<>`*~\s]/g, toPercent).replaceAll('&', entities['&'] ?? '')
  return address.length <= linkLength ? address : undefined
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** What a list shows: how many of its lines, and in how many characters. */
export interface ListLimit {
  readonly lines: number
  readonly length: number
  /** Where the rest is. */
  readonly moreUrl: string | null
  /** How many there are besides, of which no line is known. Default 0. */
  readonly unknown?: number
}

/** Lines below each other, as many as fit; the last says how many are missing. Example: `and 12 more`. */
export function fitLines(
  lines: readonly string[],
  { lines: maxLines, length, moreUrl, unknown = 0 }: ListLimit,
): string {
  // Room for the last line with its link.
  const room = length - linkLength - 50
  const kept: string[] = []
  let used = 0
  for (const line of lines.slice(0, maxLines)) {
    used += line.length + 1
    if (used > room) break
    kept.push(line)
  }
  const missing = lines.length - kept.length + unknown
  if (missing > 0) kept.push(linkTo(moreUrl, `and ${missing} more`))
  return kept.join('\n')
}
