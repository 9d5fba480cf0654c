import { isUtf8 } from 'node:buffer'
import { cleanJson, limits, Problem, type ProblemCode } from '@signalbox/contract'
import { toJsonPointer } from './json-pointer.ts'

/** Limits a JSON text. */
export interface JsonLimits {
  /** Limits the nesting of objects and arrays. */
  readonly depth?: number
  /** Limits the number of values, objects and arrays included. */
  readonly nodes?: number
  /** Limits the UTF-8 bytes of one string or member name. */
  readonly stringBytes?: number
  /** True where texts of others are quoted (`quotesOthers` of an endpoint). Default: false. */
  readonly quotesOthers?: boolean | undefined
}

/**
 * Parses a JSON text from outside. `JSON.parse` reads an accepted text in the same way, and loses or changes nothing:
 * every text is well-formed and without control characters, every number is exact, no member is repeated, and no
 * member's name can change a prototype. Takes linear time, and no more stack than the limit of the nesting.
 *
 * @throws {Problem} with a JSON pointer, and never with a value.
 */
export function readJson(
  bytes: Uint8Array,
  { depth, nodes, stringBytes, quotesOthers = false }: JsonLimits = {},
): unknown {
  const text = quotesOthers ? cleanJson(decode(bytes)) : decode(bytes)
  const scan: Scan = {
    text,
    at: 0,
    nodes: 0,
    path: [],
    depthMax: depth ?? limits.jsonDepth,
    nodesMax: nodes ?? limits.jsonNodes,
    stringBytesMax: stringBytes ?? limits.stringBytes,
    takesControls: quotesOthers,
  }
  takeValue(scan)
  if (scan.at < text.length) throw malformed(scan, 'the end')
  return JSON.parse(text)
}

interface Scan {
  readonly text: string
  at: number
  nodes: number
  /** Holds the name or the index in each open object and array. */
  readonly path: (string | number)[]
  readonly depthMax: number
  readonly nodesMax: number
  readonly stringBytesMax: number
  readonly takesControls: boolean
}

const quote = 0x22
const backslash = 0x5c
const space = 0x20

function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    const detail = 'The body contains bytes that are not UTF-8. Send the JSON as UTF-8.'
    throw new Problem('invalid_encoding', detail)
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const detail = 'The body begins with a byte order mark. Send the JSON without it.'
    throw new Problem('invalid_json', detail)
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Moves past a value and the space around it. */
function takeValue(scan: Scan): void {
  if (++scan.nodes > scan.nodesMax) {
    throw violation(scan, 'too_many_items', `Send at most ${scan.nodesMax} values in one body.`)
  }
  skipSpace(scan)
  const first = scan.text[scan.at]
  if (first === '{') takeAll(scan, '}', takeMember)
  else if (first === '[') takeAll(scan, ']', takeItem)
  else if (first === '"') takeString(scan)
  else takeLiteral(scan)
  skipSpace(scan)
}

/** Skips the four characters that JSON calls white space, and no other. */
function skipSpace(scan: Scan): void {
  const { text } = scan
  for (;;) {
    const code = text.charCodeAt(scan.at)
    if (code !== space && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    scan.at++
  }
}

/** Moves past an object or an array. `take` moves past one member or item. */
function takeAll(
  scan: Scan,
  closer: ']' | '}',
  take: (scan: Scan, index: number, names: Set<string>) => void,
): void {
  const { text, path } = scan
  if (path.length === scan.depthMax) {
    throw violation(scan, 'too_deep', `Nest objects and arrays at most ${scan.depthMax} deep.`)
  }
  path.push(closer === ']' ? 0 : '')
  scan.at++
  skipSpace(scan)
  if (text[scan.at] !== closer) {
    const names = new Set<string>()
    for (let index = 0; index === 0 || text[scan.at] === ','; index++) {
      if (index > 0) scan.at++
      take(scan, index, names)
    }
    if (text[scan.at] !== closer) throw malformed(scan, `"," or "${closer}"`)
  }
  path.pop()
  scan.at++
}

function takeItem(scan: Scan, index: number): void {
  scan.path[scan.path.length - 1] = index
  takeValue(scan)
}

function takeMember(scan: Scan, _: number, names: Set<string>): void {
  const { text, path } = scan
  skipSpace(scan)
  if (text[scan.at] !== '"') throw malformed(scan, 'a member name in double quotes')
  const name = takeString(scan)
  path[path.length - 1] = name
  if (name === '__proto__' || (name === 'prototype' && path.at(-2) === 'constructor')) {
    throw violation(scan, 'reserved_key', 'JavaScript reserves this name. Choose another.')
  }
  if (names.has(name)) {
    throw violation(scan, 'duplicate_key', 'The object has this member twice. Send it once.')
  }
  names.add(name)
  skipSpace(scan)
  if (text[scan.at] !== ':') throw malformed(scan, '":" after the member name')
  scan.at++
  takeValue(scan)
}

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Moves past a word or a number. */
function takeLiteral(scan: Scan): void {
  literal.lastIndex = scan.at
  const text = literal.exec(scan.text)?.[0]
  if (text === undefined) throw malformed(scan, 'a value')
  const value = Number(text)
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    const detail =
      'Numbers must be between -9007199254740991 and 9007199254740991. Send a larger one as a string.'
    throw violation(scan, 'number_out_of_range', detail)
  }
  if (value === 0 && isNotPlainZero(text)) {
    const detail = 'The number would become 0. Send 0, or the number as a string.'
    throw violation(scan, 'number_out_of_range', detail)
  }
  scan.at += text.length
}

/** Returns whether a zero would lose something: `-0` its sign in storage, `1e-400` its value. */
function isNotPlainZero(text: string): boolean {
  return text.startsWith('-') || /^[0.]*[1-9]/.test(text)
}

/** Moves past a string and returns its content. */
function takeString(scan: Scan): string {
  const { text } = scan
  const start = scan.at++
  let isEscaped = false
  for (;;) {
    const code = text.charCodeAt(scan.at)
    if (code === quote) break
    if (code === backslash) {
      isEscaped = true
      scan.at += 2
    } else if (code >= space) {
      scan.at++
    } else {
      throw malformed(scan, 'the end of a string, without raw control characters')
    }
  }
  const raw = text.slice(start, ++scan.at)
  const content = isEscaped ? unescape(scan, raw, start) : raw.slice(1, -1)
  refuseLong(scan, content)
  return content
}

/** A carriage return ends a line with the line feed behind it (Windows). Alone it overwrites the line in a terminal. */
const control = /[^\t\n\r -\uFFFF]|\r(?!\n)/

/** Returns the content of a string. Only its escape sequences can break a rule: raw text is UTF-8 without control characters. */
function unescape(scan: Scan, raw: string, start: number): string {
  let content: string
  try {
    content = JSON.parse(raw)
  } catch {
    scan.at = start
    throw malformed(scan, 'a string with the escape sequences of JSON')
  }
  if (!content.isWellFormed()) {
    const detail = 'The text contains half of a surrogate pair. Send the whole character.'
    throw violation(scan, 'ill_formed_text', detail)
  }
  if (!scan.takesControls && control.test(content)) {
    const detail =
      'The text contains a control character. Only tab (\\t), line feed (\\n), and a carriage return before a line feed (\\r\\n) are allowed.'
    throw violation(scan, 'ill_formed_text', detail)
  }
  return content
}

function refuseLong(scan: Scan, content: string): void {
  if (content.length * 3 <= scan.stringBytesMax) return
  if (Buffer.byteLength(content) <= scan.stringBytesMax) return
  throw violation(
    scan,
    'value_too_large',
    `A text may have at most ${scan.stringBytesMax} bytes of UTF-8.`,
  )
}

function malformed(scan: Scan, expected: string): Problem {
  const before = scan.text.slice(0, scan.at).split('\n')
  const position = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
  const what = scan.at < scan.text.length ? 'another character' : 'the end of the body'
  return violation(scan, 'invalid_json', `Found ${what} at ${position}, expected ${expected}.`)
}

function violation(scan: Scan, code: ProblemCode, detail: string): Problem {
  const pointer = toJsonPointer(scan.path)
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}
