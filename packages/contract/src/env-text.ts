/** Describes a line `NAME=value`, as dotenv reads it. */
export interface EnvAssignment {
  readonly name: string
  readonly value: string
  /** Counts lines from 1: where the assignment begins. */
  readonly line: number
  /**
   * Says that the value references a variable or a command, which dotenv-expand, Next.js and shells replace. It is
   * imported unchanged.
   */
  readonly refers: boolean
}

/** Holds the assignments of an env file, and the lines that cannot be read. */
export interface ParsedEnv {
  /** Lists the last assignment of each name, in the order of the file. */
  readonly assignments: readonly EnvAssignment[]
  /** Numbers the lines that are no assignment. */
  readonly unread: readonly number[]
  /** Names the variables that are set more than once. The last assignment counts. */
  readonly repeated: readonly string[]
}

const start = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*|:\s+)/
// A brace ends before the next dollar sign, so that a text of many `${` is read once.
const reference = /\$(?:\{[^}$]+\}|\(|[A-Za-z_])/

/**
 * Parses a text as dotenv does: quotes of three kinds may span lines, escaped line breaks count in double quotes
 * only, and `#` begins a comment outside of quotes. It reports lines that are no assignment.
 */
export function parseEnvText(text: string): ParsedEnv {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
  const assignments = new Map<string, EnvAssignment>()
  const unread: number[] = []
  const repeated = new Set<string>()
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (/^\s*(?:#|$)/.test(line)) continue
    const assignmentStart = start.exec(line)
    if (assignmentStart === null) {
      unread.push(at + 1)
      continue
    }
    const name = assignmentStart[1] ?? ''
    const parsed = takeValue(lines, at, assignmentStart[0].length)
    if (assignments.delete(name)) repeated.add(name)
    assignments.set(name, {
      name,
      value: parsed.value,
      line: at + 1,
      refers: parsed.quote !== "'" && reference.test(parsed.value),
    })
    at = parsed.lastLine
  }
  return { assignments: [...assignments.values()], unread, repeated: [...repeated] }
}

interface Taken {
  readonly value: string
  readonly quote: string
  /** Counts lines from 0: where the value ends. */
  readonly lastLine: number
}

function takeValue(lines: readonly string[], at: number, from: number): Taken {
  const rest = (lines[at] ?? '').slice(from)
  const quote = rest[0] ?? ''
  const quoted = quote !== '' && `'"\``.includes(quote) ? takeQuoted(lines, at, rest) : undefined
  if (quoted !== undefined) return quoted
  return { value: (rest.split('#', 1)[0] ?? '').trim(), quote: '', lastLine: at }
}

/** Returns `undefined` when no quote closes the value, which is then taken as unquoted. */
function takeQuoted(lines: readonly string[], at: number, rest: string): Taken | undefined {
  const quote = rest[0] ?? ''
  let text = rest
  for (let last = at; last < lines.length; last += 1) {
    if (last > at) text += `\n${lines[last] ?? ''}`
    const end = findClosing(text, quote)
    if (end === undefined) continue
    // Unless a comment follows, the quotes belong to a value that dotenv takes unchanged.
    if (!/^\s*(?:#.*)?$/.test(text.slice(end + 1))) return undefined
    return { value: unescape(text.slice(1, end), quote), quote, lastLine: last }
  }
  return undefined
}

/** Returns the position of the first such quote without a backslash before it. */
function findClosing(text: string, quote: string): number | undefined {
  for (let at = text.indexOf(quote, 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== '\\') return at
  }
  return undefined
}

function unescape(text: string, quote: string): string {
  return quote === '"' ? text.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : text
}
