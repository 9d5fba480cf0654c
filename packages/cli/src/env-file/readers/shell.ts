import type { Reader } from '../reader.ts'

/**
 * Reads as `. file` in bash, dash and other POSIX shells does, for files of plain assignments: text in quotes, behind
 * backslashes and outside of both. References are recognized and not resolved. Anything that a shell would run is a
 * violation, because its result cannot be predicted.
 */
export const readShell: Reader = (text) => {
  const values = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const blank = /^(?:[ \t\n;]+|#[^\n]*)/.exec(text.slice(at))
    if (blank !== null) {
      at += blank[0].length
      continue
    }
    const assignment = /^(?:export[ \t]+)?([A-Za-z_]\w*)=/.exec(text.slice(at))
    if (assignment === null) {
      const exported = /^export(?:[ \t]+[A-Za-z_]\w*)+[ \t]*(?=[\n;]|$)/.exec(text.slice(at))
      if (exported === null) return { values, violation: `line ${lineOf(text, at)} runs a command` }
      at += exported[0].length
      continue
    }
    const name = assignment[1] ?? ''
    const word = readWord(text, at + assignment[0].length)
    if (typeof word === 'string') return { values, violation: `line ${lineOf(text, at)}: ${word}` }
    values.delete(name)
    if (word.value !== undefined) values.set(name, word.value)
    at = word.end
  }
  return { values }
}

interface Word {
  readonly value: string | undefined
  readonly end: number
}

/** Reads a word from `start`, or returns why it cannot be predicted. */
function readWord(text: string, start: number): Word | string {
  let value = ''
  let resolved = true
  let at = start
  while (at < text.length) {
    const rest = text.slice(at)
    if (/^[\n;]/.test(rest) || /^[ \t]+(?:#|[\n;]|$)/.test(rest)) break
    const piece = readPiece(rest)
    if (piece === undefined) return 'a command or an open quote'
    if (piece.text === undefined) resolved = false
    else value += piece.text
    at += piece.length
  }
  return { value: resolved ? value : undefined, end: at }
}

interface Piece {
  /** Holds the value. `undefined`: a reference. */
  readonly text: string | undefined
  readonly length: number
}

function readPiece(rest: string): Piece | undefined {
  const single = /^'([^']*)'/.exec(rest)
  if (single !== null) return { text: single[1], length: single[0].length }
  if (rest.startsWith('"')) return readDouble(rest)
  const escaped = /^\\([\s\S])/.exec(rest)
  if (escaped !== null) return { text: escaped[1] === '\n' ? '' : escaped[1], length: 2 }
  const reference = /^\$(?:\w+|\{\w+\})/.exec(rest)
  if (reference !== null) return { text: undefined, length: reference[0].length }
  const plain = /^[^\s'"\\$`;&|<>()#*?[\]{}~!]+|^[#{}!]/.exec(rest)
  return plain === null ? undefined : { text: plain[0], length: plain[0].length }
}

function readDouble(rest: string): Piece | undefined {
  let text: string | undefined = ''
  for (let at = 1; at < rest.length; at += 1) {
    const character = rest[at] ?? ''
    if (character === '"') return { text, length: at + 1 }
    if (character === '`') return undefined
    if (character === '\\') {
      const next = rest[at + 1] ?? ''
      at += 1
      if (text !== undefined) text += escapedInDouble(next)
    } else if (character === '$' && /^[\w{(@*#?$!-]/.test(rest.slice(at + 1))) {
      if (rest[at + 1] === '(') return undefined
      text = undefined
    } else if (text !== undefined) text += character
  }
  return undefined
}

function escapedInDouble(next: string): string {
  if (next === '\n') return ''
  return '$`"\\'.includes(next) ? next : `\\${next}`
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
