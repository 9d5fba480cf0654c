/**
 * Text for the Markdown of Mattermost that cannot get out of its place. Mattermost has no way to switch mentions off, so whatever
 * it would look for in a text is broken by a character that nobody sees.
 *
 * @see https://docs.mattermost.com/end-user-guide/collaborate/format-messages.html
 */
import { toLine, type MessageText, type TextRun } from '../chat/chat-message.ts'
import { cutText, toAddress, toneSigns, toPlainText, wordJoiner } from '../chat/plain-text.ts'

/** Finds the characters that end an address in Markdown. */
export const addressSpecial = /[()<>[\]\\`*|~"'\s]/g

/** Delimiters of Markdown, which a backslash turns into text. */
const delimiters = /[\\`*_~[\]|$]/g
/**
 * Finds the characters at which Mattermost looks for more than words: mentions (`@`), channels (`~`), hashtags (`#`), emoji and addresses (`:`), emoticons
 * (`<3`, `;)`, `=)`, `x-d`), entities of HTML (`&`), and addresses that begin with `www.` or look like `evil.com/`.
 */
const marked = /[@~#:;<=&]|www\d*(?=\.)|x(?=-d)|\.(?=\p{L}{2,4}\/)/giu
/** Finds the marks that make a block of a line: a list, a quote, a heading, a table, a rule, code. */
const blockStart = /^(?:[-+>#=|~\s]|\d+[.)])/

/** Returns a text as Markdown, as one line. */
export function toMarkdown(text: MessageText): string {
  const line = text.map(runToMarkdown).join('')
  return blockStart.test(line) ? `${wordJoiner}${line}` : line
}

function runToMarkdown(run: TextRun): string {
  if (typeof run === 'string') return escapeText(run)
  switch (run.type) {
    case 'sign':
      return toneSigns[run.tone]
    case 'quote':
      return escapeText(cut(run.text, run.max))
    case 'code':
      return toCode(cut(run.text, run.max))
    case 'strong':
      return toStrong(run.text.map(runToMarkdown).join(''))
    case 'link':
      return linkTo(run.url, run.text.map(runToMarkdown).join(''))
  }
}

/** Returns a text for a title that leads nowhere, which is Markdown too: as much of it as fits. */
export function toTitle(text: MessageText, maxLength: number): string {
  return toMarkdown([cut(toLine(toPlainText(text)), maxLength)])
}

/**
 * Returns a text without markup, for what a phone shows, and where Mattermost reads no markup. Mentions and emoji are no ones there
 * either.
 */
export function toShownText(text: MessageText, maxLength: number): string {
  const line = toLine(toPlainText(text))
  const shield = (max: number) => cut(line, max).replaceAll(marked, `$&${wordJoiner}`)
  let max = maxLength
  let fitting = shield(max)
  // The characters that break a word count as well.
  while (fitting.length > maxLength && max > 1) {
    max -= Math.ceil((fitting.length - maxLength) / 3)
    fitting = shield(max)
  }
  return fitting
}

/** Cuts between characters, and says so. */
function cut(text: string, max: number): string {
  return cutText(text.replaceAll(wordJoiner, ''), max)
}

function escapeText(text: string): string {
  return text.replaceAll(delimiters, '\\$&').replaceAll(marked, `$&${wordJoiner}`)
}

/** Nothing is read as markup within code but the mark of its end, which looks the same and means nothing. */
function toCode(text: string): string {
  const line = text.replaceAll('`', '\u02cb').trim()
  return line === '' ? '' : `\`${line}\``
}

function toStrong(markdown: string): string {
  return markdown.trim() === '' ? markdown : `**${markdown.trim()}**`
}

/** Links a label of Markdown; returns the label alone where the address is none that a browser opens, missing or too long. */
function linkTo(url: string | null, label: string): string {
  const address = url === null ? undefined : toAddress(url, addressSpecial)
  return address === undefined || label.trim() === '' ? label : `[${label}](${address})`
}
