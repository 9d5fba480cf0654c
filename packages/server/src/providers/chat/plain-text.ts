import type { MessageText, TextRun, Tone } from './chat-message.ts'

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
