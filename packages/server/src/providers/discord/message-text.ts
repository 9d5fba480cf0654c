/**
 * Text for Discord's Markdown that cannot get out of its place: whatever a run holds, it mentions nobody, links nowhere and formats
 * nothing but by its type.
 *
 * @see https://docs.discord.com/developers/reference#message-formatting
 */
import type { MessageText, TextRun } from '../chat/chat-message.ts'
import { cutText, toAddress, toneSigns, toPlainText, wordJoiner } from '../chat/plain-text.ts'

/** Finds the characters that end an address in Markdown. */
export const addressSpecial = /[()<>\\*_~`|[\]\s]/g

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
      return toneSigns[run.tone]
    case 'quote':
      return escapeText(cutText(run.text, run.max))
    case 'code':
      return escapeCode(cutText(run.text, run.max))
    case 'strong': {
      const inner = toMarkdown(run.text)
      return inner === '' ? '' : `**${inner}**`
    }
    case 'link':
      return linkTo(run.url, toMarkdown(run.text))
  }
}

/** Returns a text for a title, in at most `max` characters after it was escaped. */
export function toTitle(text: MessageText, max: number): string {
  const plain = toPlainText(text)
  let escaped = escapeText(plain)
  for (let length = Array.from(plain).length - 1; escaped.length > max && length > 0; length -= 1) {
    escaped = escapeText(cutText(plain, length))
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
  const address = url === null ? undefined : toAddress(url, addressSpecial)
  return address === undefined || label === '' ? label : `[${label}](${address})`
}
