import type { Reader } from '../reader.ts'

/** Matches the blanks of Go's reader that do not end a line. */
const blanks = /^[\t\v\f\r \u0085\u00A0]+/

/** Reads as Docker Compose does (compose-go 2, package dotenv): quotes, escapes in double quotes, `$` everywhere else. */
export const readCompose: Reader = (text) => {
  const values = new Map<string, string>()
  let rest = text.replace(/^\uFEFF/, '')
  while ((rest = statementStart(rest)) !== '') {
    const key =
      /^(?:export)?[\t\v\f\r \u0085\u00A0]*([\p{L}\p{N}_.[\]-]*)[\t\v\f\r \u0085\u00A0]*([=:\n]|$)/u.exec(
        rest,
      )
    if (key === null)
      return { values, violation: `"${firstLine(rest)}" does not begin with a name` }
    const name = key[1] ?? ''
    rest = rest.slice(key[0].length)
    if (key[2] !== '=' && key[2] !== ':') continue
    const taken = takeValue(rest.replace(blanks, ''))
    if (taken === undefined)
      return { values, violation: `the value of ${name} has no closing quote` }
    values.delete(name)
    if (taken.value !== undefined) values.set(name, taken.value)
    rest = taken.rest
  }
  return { values }
}

function statementStart(text: string): string {
  let rest = text.trimStart()
  while (rest.startsWith('#')) {
    const end = rest.indexOf('\n')
    rest = end === -1 ? '' : rest.slice(end).trimStart()
  }
  return rest
}

interface ReadResult {
  /** Returns `undefined` when the value has a reference. */
  readonly value: string | undefined
  readonly rest: string
}

function takeValue(text: string): ReadResult | undefined {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") {
    const line = firstLine(text)
    const value = (line.split(' #', 1)[0] ?? '').trimEnd()
    return { value: substitute(value), rest: text.slice(line.length + 1) }
  }
  return takeQuoted(text, quote)
}

/** Unescapes the quote only. `expandEscapes` handles the other escapes. */
function takeQuoted(text: string, quote: string): ReadResult | undefined {
  let inside = ''
  let escaped = false
  for (let index = 1; index < text.length; index += 1) {
    const character = text[index] ?? ''
    if (character === quote && !escaped) {
      const value = quote === '"' ? substitute(expandEscapes(inside)) : inside
      return { value, rest: text.slice(index + 1) }
    }
    const begins: boolean = character === '\\' && !escaped
    if (!begins) inside += escaped && character !== quote ? `\\${character}` : character
    escaped = begins
  }
  return undefined
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
  $: '$$',
}

function expandEscapes(text: string): string {
  return text.replaceAll(
    /\\([abcfnrtv$"\\]|0\d{0,3})/g,
    (match, code: string) => escapes[code] ?? match,
  )
}

/** Replaces `$$` by a dollar. Any other dollar is a reference or a violation. */
function substitute(text: string): string | undefined {
  const plain = text.replaceAll('$$', '\u0000')
  return plain.includes('$') ? undefined : plain.replaceAll('\u0000', '$')
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
