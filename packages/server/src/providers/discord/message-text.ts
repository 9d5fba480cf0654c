/**
 * Text for Discord's Markdown that cannot get out of its place: whatever a run holds, it mentions nobody, links nowhere and formats
 * nothing but by its type.
 *
 * @see https://docs.discord.com/developers/reference#message-formatting
 */
import type { MessageText, TextRun, Tone } from '../chat/chat-message.ts'

/** Breaks a word for the eye of a parser and not for that of a person. */
const wordJoiner = '\u2060'

const signs: Readonly<Record<Tone, string>> = {
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

/** Holds the longest address that is made a link, in characters. */
const linkLength = 500

/** Characters that mean something somewhere in Discord's Markdown: a backslash takes the meaning from each. */
const special = /[\\*_~`|>[\]()<#+-]/

/** Returns a text as Markdown. */
export function toMarkdown(text: MessageText): string {
  return text.map(runToMarkdown).join('')
}

function runToMarkdown(run: TextRun): string {
  if (typeof run === 'string') return escapeText(run)
  switch (run.type) {
    case 'sign':
      return signs[run.tone]
    case 'quote':
      return escapeText(cut(run.text, run.max))
    case 'code':
      return escapeCode(cut(run.text, run.max))
    case 'strong': {
      const inner = toMarkdown(run.text)
      return inner === '' ? '' : `**${inner}**`
    }
    case 'link':
      return linkTo(run.url, toMarkdown(run.text))
  }
}

/** Returns a text without markup, as small type is escaped. */
export function toPlainText(text: MessageText): string {
  return text.map(runToPlainText).join('')
}

function runToPlainText(run: TextRun): string {
  if (typeof run === 'string') return run
  switch (run.type) {
    case 'sign':
      return signs[run.tone]
    case 'quote':
    case 'code':
      return cut(run.text, run.max)
    case 'strong':
    case 'link':
      return toPlainText(run.text)
  }
}

/** Returns at most `max` characters of a text, each whole. A text that was cut ends with `…`. */
export function cut(text: string, max: number): string {
  const characters = Array.from(text)
  if (characters.length <= max) return text
  return `${characters.slice(0, Math.max(0, max - 1)).join('')}…`
}

/** Returns a text for a title, in at most `max` characters after it was escaped. */
export function toTitle(text: MessageText, max: number): string {
  const plain = toPlainText(text)
  let escaped = escapeText(plain)
  for (let length = Array.from(plain).length - 1; escaped.length > max && length > 0; length -= 1) {
    escaped = escapeText(cut(plain, length))
  }
  return escaped
}

/** Returns a text as itself. */
function escapeText(text: string): string {
  return (
    text
      .replaceAll(new RegExp(special, 'g'), String.raw`\$&`)
      // A list with numbers begins a line.
      .replace(/^(\s*\d+)\./, String.raw`$1\.`)
      // Addresses that clients make links of, emoji by name.
      .replaceAll(/:(?=\/\/)/g, `:${wordJoiner}`)
      .replaceAll(/:(?=[\w\\]+:)/g, String.raw`\:`)
      .replaceAll('@', `@${wordJoiner}`)
  )
}

function escapeCode(text: string): string {
  // In code only a backtick means anything. This one looks like it.
  const line = text.replaceAll('`', '\u02cb')
  return line === '' ? '' : `\`${line}\``
}

/** Links a label; returns the label alone where the address is none that a browser opens, missing or too long. */
function linkTo(url: string | null, label: string): string {
  const address = url === null ? undefined : toAddress(url)
  return address === undefined || label === '' ? label : `[${label}](${address})`
}

/** Returns an address as a link takes it; `undefined` for one that is none that a browser opens. */
export function toAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, username, password, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  // `https://bank.example@evil.example` says one host and opens another.
  if (username !== '' || password !== '') return undefined
  const address = href.replaceAll(/[()<>\\*_~`|[\]\s]/g, toPercent)
  return address.length <= linkLength ? address : undefined
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
