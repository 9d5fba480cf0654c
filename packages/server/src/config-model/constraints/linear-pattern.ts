import { limits } from '@signalbox/contract'
import { RE2JS } from 're2js'
import { findWorkViolation } from './constraint-work.ts'
import { measurePattern } from './pattern-size.ts'

/** Describes a regular expression whose matching takes time linear in the text. */
export interface LinearPattern {
  /** Returns whether the pattern occurs anywhere in `text`. */
  test(text: string): boolean
  /** Returns the source of the pattern, by which Ajv tells patterns apart. */
  toString(): string
}

/** Holds a compiled pattern, or what is wrong with its source and what to do. */
type ParsedPattern = { readonly pattern: LinearPattern } | { readonly violation: string }

/** Instructions of the compiled program. Allows `[a-z]{1000}` and refuses several of them in a row. */
const programSizeMax = 1_100

/**
 * Compiles a pattern of a constraint. It has to mean the same here and in the clients, so it must be a regular
 * expression of JavaScript with the `u` flag and one of RE2 as well: no lookaround, no backreference.
 */
export function parsePattern(source: string): ParsedPattern {
  if (Buffer.byteLength(source) > limits.patternBytes) {
    return { violation: `Shorten the pattern to ${limits.patternBytes} bytes.` }
  }
  const violation =
    javaScriptViolation(source) ?? untranslatableViolation(source) ?? sizeViolation(source)
  if (violation !== undefined) return { violation }
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(toRe2(source))
  } catch (error) {
    return { violation: re2Violation(error) }
  }
  if (compiled.programSize() > programSizeMax) {
    return {
      violation: 'The pattern repeats too much. Lower the counts in braces, or use maxLength.',
    }
  }
  return { pattern: { test: (text) => compiled.test(text), toString: () => source } }
}

/** Refuses a pattern that is far too large before it is compiled: compiling takes time by its size too. */
function sizeViolation(source: string): string | undefined {
  const { instructions, propertyClasses } = measurePattern(source)
  return findWorkViolation({ fragments: 1, patternSize: instructions, propertyClasses })
}

function javaScriptViolation(source: string): string | undefined {
  try {
    // oxlint-disable-next-line no-new -- compiled for its syntax only; it never sees a text
    new RegExp(source, 'u')
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('/u: ').at(-1) ?? '') : ''
    return `Not a regular expression of JavaScript with the "u" flag: ${reason.toLowerCase()}.`
  }
}

/** Finds what JavaScript understands and RE2 would silently read as something else. */
function untranslatableViolation(source: string): string | undefined {
  const bare = source.replaceAll('\\\\', '')
  if (/\\[1-9]|\\k</.test(bare)) {
    return 'Backreferences such as \\1 are not supported: they cannot be matched in linear time.'
  }
  if (/\\u[dD][89a-fA-F]/.test(bare)) return 'Write \\u{1F600} instead of a pair of \\u escapes.'
  return undefined
}

/** The ranges of `\s` and of `\S` by ECMA-262 §22.2.2.9: RE2 knows only the ASCII part. */
const space =
  '\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}'
const notSpace =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}' +
  '\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}'
const notLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]'

/** Returns the pattern in RE2's syntax, with `.`, `\s` and `\S` meaning what they mean in JavaScript. */
function toRe2(source: string): string {
  let inClass = false
  return RE2JS.translateRegExp(source).replaceAll(/\\[^]|[[\].]/g, (token) => {
    if (token === '[') inClass = true
    else if (token === ']') inClass = false
    if (token === '.') return inClass ? token : notLineEnd
    if (token === '\\s') return inClass ? space : `[${space}]`
    if (token === '\\S') return inClass ? notSpace : `[${notSpace}]`
    return token
  })
}

function re2Violation(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (/\(\?<?[=!]/.test(text)) {
    return 'Lookahead and lookbehind are not supported: they cannot be matched in linear time.'
  }
  const reason = text.replace(/^error parsing regexp: /, '')
  return `The linear-time engine (RE2) does not support this pattern: ${reason}.`
}
