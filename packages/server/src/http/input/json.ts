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
 * member's name can change a prototype. Takes linear time and no stack, whatever the nesting.
 *
 * @throws {Problem} with a JSON pointer, and never with a value.
 */
export function readJson(
  bytes: Uint8Array,
  { depth, nodes, stringBytes, quotesOthers = false }: JsonLimits = {},
): unknown {
  const text = quotesOthers ? cleanJson(decode(bytes)) : decode(bytes)
  check({
    text,
    at: 0,
    nodes: 0,
    frames: [],
    depthMax: depth ?? limits.jsonDepth,
    nodesMax: nodes ?? limits.jsonNodes,
    stringBytesMax: stringBytes ?? limits.stringBytes,
    takesControls: quotesOthers,
  })
  return JSON.parse(text)
}

/** Describes an open object or array, and the current position in it. */
interface Frame {
  /** Holds the names read so far; `undefined` in an array. */
  readonly names: Set<string> | undefined
  segment: string | number
}

interface Scan {
  readonly text: string
  at: number
  nodes: number
  readonly frames: Frame[]
  readonly depthMax: number
  readonly nodesMax: number
  readonly stringBytesMax: number
  readonly takesControls: boolean
}

type Expected = 'value' | 'firstItem' | 'firstMember' | 'member' | 'next' | 'done'

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

function check(scan: Scan): void {
  let expected: Expected = 'value'
  while (expected !== 'done') {
    skipSpace(scan)
    switch (expected) {
      case 'value':
        expected = takeValue(scan)
        break
      case 'firstItem':
        expected = closes(scan, ']') ? 'next' : 'value'
        break
      case 'firstMember':
        expected = closes(scan, '}') ? 'next' : takeMember(scan)
        break
      case 'member':
        expected = takeMember(scan)
        break
      case 'next':
        expected = takeNext(scan)
        break
      default:
        expected satisfies never
    }
  }
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

function takeValue(scan: Scan): Expected {
  if (++scan.nodes > scan.nodesMax) {
    throw violation(scan, 'too_many_items', `Send at most ${scan.nodesMax} values in one body.`)
  }
  const first: string = scan.text.charAt(scan.at)
  switch (first) {
    case '{':
      openContainer(scan, { names: new Set(), segment: '' })
      return 'firstMember'
    case '[':
      openContainer(scan, { names: undefined, segment: 0 })
      return 'firstItem'
    case '"':
      takeString(scan)
      return 'next'
    case 't':
      return takeWord(scan, 'true')
    case 'f':
      return takeWord(scan, 'false')
    case 'n':
      return takeWord(scan, 'null')
    default:
      return takeNumber(scan)
  }
}

function openContainer(scan: Scan, frame: Frame): void {
  if (scan.frames.length === scan.depthMax) {
    throw violation(scan, 'too_deep', `Nest objects and arrays at most ${scan.depthMax} deep.`)
  }
  scan.frames.push(frame)
  scan.at++
}

function closes(scan: Scan, closer: ']' | '}'): boolean {
  if (scan.text[scan.at] !== closer) return false
  scan.at++
  scan.frames.pop()
  return true
}

function takeNext(scan: Scan): Expected {
  const frame = scan.frames.at(-1)
  if (frame === undefined) {
    if (scan.at < scan.text.length) throw malformed(scan, 'the end')
    return 'done'
  }
  if (scan.text[scan.at] === ',') {
    scan.at++
    if (frame.names !== undefined) return 'member'
    frame.segment = Number(frame.segment) + 1
    return 'value'
  }
  const closer = frame.names === undefined ? ']' : '}'
  if (!closes(scan, closer)) throw malformed(scan, `"," or "${closer}"`)
  return 'next'
}

function takeMember(scan: Scan): Expected {
  const { frames } = scan
  const frame = frames.at(-1)
  if (frame?.names === undefined || scan.text[scan.at] !== '"') {
    throw malformed(scan, 'a member name in double quotes')
  }
  const name = takeString(scan)
  frame.segment = name
  if (name === '__proto__' || (name === 'prototype' && frames.at(-2)?.segment === 'constructor')) {
    throw violation(scan, 'reserved_key', 'JavaScript reserves this name. Choose another.')
  }
  if (frame.names.has(name)) {
    throw violation(scan, 'duplicate_key', 'The object has this member twice. Send it once.')
  }
  frame.names.add(name)
  skipSpace(scan)
  if (scan.text[scan.at] !== ':') throw malformed(scan, '":" after the member name')
  scan.at++
  return 'value'
}

function takeWord(scan: Scan, word: string): Expected {
  if (!scan.text.startsWith(word, scan.at)) throw malformed(scan, 'a value')
  scan.at += word.length
  return 'next'
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function takeNumber(scan: Scan): Expected {
  numberPattern.lastIndex = scan.at
  const text = numberPattern.exec(scan.text)?.[0]
  if (text === undefined) throw malformed(scan, 'a value')
  const value = Number(text)
  if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    const detail =
      'Numbers must be between -9007199254740991 and 9007199254740991. Send a larger one as a string.'
    throw violation(scan, 'number_out_of_range', detail)
  }
  if (value === 0 && isNotPlainZero(text)) {
    const detail = 'The number would become 0. Send 0, or the number as a string.'
    throw violation(scan, 'number_out_of_range', detail)
  }
  scan.at += text.length
  return 'next'
}

/** Returns whether a zero would lose something: `-0` its sign in storage, `1e-400` its value. */
function isNotPlainZero(text: string): boolean {
  return text.startsWith('-') || /^[0.]*[1-9]/.test(text)
}

/** Moves past a string and returns its content. */
function takeString(scan: Scan): string {
  const { text } = scan
  const start = ++scan.at
  let escaped = false
  for (;;) {
    const code = text.charCodeAt(scan.at)
    if (code === quote) break
    if (code === backslash) {
      escaped = true
      takeEscape(scan)
    } else if (code >= space) {
      scan.at++
    } else {
      throw malformed(scan, 'the end of a string, without raw control characters')
    }
  }
  const raw = text.slice(start, scan.at++)
  const content: string = escaped ? JSON.parse(`"${raw}"`) : raw
  refuseLong(scan, content)
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

const simpleEscapes = new Set(['"', '\\', '/', 't', 'n'])
const controlEscapes = new Set(['b', 'f', 'r'])
/** A carriage return ends a line with the line feed behind it (Windows). Alone it overwrites the line in a terminal. */
const carriageReturnEscape = /\\(?:r|u000[dD])\\(?:n|u000[aA])/y
const unicodeEscape = /\\u([0-9A-Fa-f]{4})/y

function takeEscape(scan: Scan): void {
  const kind = scan.text[scan.at + 1] ?? ''
  if (simpleEscapes.has(kind)) {
    scan.at += 2
    return
  }
  if (scan.takesControls ? takeControl(scan, kind) : takeLineEnd(scan)) return
  if (controlEscapes.has(kind)) throw controlCharacter(scan)
  const code = takeUnicodeEscape(scan)
  if (code === undefined) throw malformed(scan, 'a known escape sequence')
  if (isControl(code) && !scan.takesControls) throw controlCharacter(scan)
  if (code >= 0xd800 && code <= 0xdfff) takeSecondHalf(scan, code)
}

/** Returns whether a character is one that only a body that quotes others may have. */
function isControl(code: number): boolean {
  return code < space && code !== 0x09 && code !== 0x0a
}

function takeControl(scan: Scan, kind: string): boolean {
  if (!controlEscapes.has(kind)) return false
  scan.at += 2
  return true
}

/** Moves past a carriage return with its line feed, both as escapes. Returns whether they stand there. */
function takeLineEnd(scan: Scan): boolean {
  carriageReturnEscape.lastIndex = scan.at
  const [both] = carriageReturnEscape.exec(scan.text) ?? []
  if (both === undefined) return false
  scan.at += both.length
  return true
}

/** Requires the second half of a surrogate pair as an escape too, after the first half as an escape. */
function takeSecondHalf(scan: Scan, high: number): void {
  const low = high < 0xdc00 ? takeUnicodeEscape(scan) : undefined
  if (low === undefined || low < 0xdc00 || low > 0xdfff) {
    const detail = 'The text contains half of a surrogate pair. Send the whole character.'
    throw violation(scan, 'ill_formed_text', detail)
  }
}

function takeUnicodeEscape(scan: Scan): number | undefined {
  unicodeEscape.lastIndex = scan.at
  const digits = unicodeEscape.exec(scan.text)?.[1]
  if (digits === undefined) return undefined
  scan.at += 6
  return Number.parseInt(digits, 16)
}

function controlCharacter(scan: Scan): Problem {
  const detail =
    'The text contains a control character. Only tab (\\t), line feed (\\n), and a carriage return before a line feed (\\r\\n) are allowed.'
  return violation(scan, 'ill_formed_text', detail)
}

function malformed(scan: Scan, expected: string): Problem {
  const before = scan.text.slice(0, scan.at).split('\n')
  const position = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
  const what = scan.at < scan.text.length ? 'another character' : 'the end of the body'
  return violation(scan, 'invalid_json', `Found ${what} at ${position}, expected ${expected}.`)
}

function violation(scan: Scan, code: ProblemCode, detail: string): Problem {
  const pointer = toJsonPointer(scan.frames.map((frame) => frame.segment))
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}
