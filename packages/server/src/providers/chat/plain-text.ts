import {
  link,
  type MessageSection,
  type MessageText,
  type TextRun,
  type Tone,
} from './chat-message.ts'

/** Breaks a word for the eye of a parser and not for that of a person. */
export const wordJoiner = '\u2060'

/** Maps each tone to its emoji. */
export const toneSigns: Readonly<Record<Tone, string>> = {
  waiting: '⏸️',
  progress: '⏳',
  success: '✅',
  failure: '❌',
  replaced: '☑️',
  reverted: '↩️',
  warning: '⚠️',
  inactive: '⚪',
  changed: '🔧',
}

/** Returns at most `max` characters of a text, each whole. A text that was cut ends with `…`. */
export function cutText(text: string, max: number): string {
  const characters = Array.from(text)
  if (characters.length <= max) return text
  return `${characters.slice(0, Math.max(0, max - 1)).join('')}…`
}

/** Returns a text without markup. Nothing in it is escaped. */
export function toPlainText(text: MessageText): string {
  return text.map(runToPlainText).join('')
}

function runToPlainText(run: TextRun): string {
  if (typeof run === 'string') return run
  switch (run.type) {
    case 'sign':
      return toneSigns[run.tone]
    case 'quote':
    case 'code':
      return cutText(run.text, run.max)
    case 'strong':
    case 'link':
      return toPlainText(run.text)
  }
}

/** Holds the longest address that is made a link, in characters. */
export const linkLength = 500

/**
 * Returns an address as a link takes it, with the characters of `special` in percent. Returns `undefined` for one that is too long, or
 * that no browser opens.
 */
export function toAddress(url: string, special: RegExp): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, username, password, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  // `https://bank.example@evil.example` says one host and opens another.
  if (username !== '' || password !== '') return undefined
  const address = href.replaceAll(
    special,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return address.length <= linkLength ? address : undefined
}

/** Returns as many lines of a list as fit below each other in its share of `total` characters. The last says how many are missing. Example: `and 12 more`. */
export function fitLines(
  { lines, hidden, moreUrl, share }: Omit<MessageSection, 'title'>,
  total: number,
  render: (text: MessageText) => string,
): string {
  // Room for the last line with its link.
  const maxLength = Math.round(share * total) - linkLength - 50
  const fitting: string[] = []
  let used = 0
  for (const line of lines.map(render)) {
    used += line.length + 1
    if (used > maxLength) break
    fitting.push(line)
  }
  const missing = lines.length - fitting.length + hidden
  if (missing > 0) fitting.push(render([link(moreUrl, `and ${missing} more`)]))
  return fitting.join('\n')
}
