/** Holds the value of a JSON text, or what is wrong with the text, and where: its first line is 1. */
export type ParsedJson =
  | { readonly value: unknown }
  | {
      readonly line: number
      readonly column: number
      readonly detail: string
      /** Names a member that an object has twice. */
      readonly repeated?: string
    }

/** Limits the nesting, which takes stack. */
const depthMax = 100

/** Matches space and the next token: a sign, a string, or a number or word. */
const tokens =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/uy

interface Scan {
  readonly text: string
  at: number
  repeated?: string
}

/**
 * Parses JSON that a person wrote. What is wrong is said with its line, which not every platform does, and never repeats the text,
 * which may be a secret. An object that has a member twice is refused: one of the two would be lost.
 */
export function parseJsonText(text: string): ParsedJson {
  const scan: Scan = { text, at: 0 }
  const detail = takeValue(scan, 0) ?? (isAtEnd(scan) ? undefined : 'Expected the end of the JSON.')
  if (detail === undefined) return { value: JSON.parse(text) }
  skipSpace(scan)
  const before = text.slice(0, scan.at).split('\n')
  const { repeated } = scan
  const column = (before.at(-1)?.length ?? 0) + 1
  return { line: before.length, column, detail, ...(repeated !== undefined && { repeated }) }
}

function skipSpace(scan: Scan): void {
  while (scan.at < scan.text.length && ' \t\r\n'.includes(scan.text.charAt(scan.at))) scan.at += 1
}

function isAtEnd(scan: Scan): boolean {
  skipSpace(scan)
  return scan.at === scan.text.length
}

/** Returns the next token and moves past it. `undefined`: there is none, and the position stays. */
function take(scan: Scan): RegExpExecArray | undefined {
  tokens.lastIndex = scan.at
  const token = tokens.exec(scan.text) ?? undefined
  if (token !== undefined) scan.at = tokens.lastIndex
  return token
}

/** Moves past a sign, if it is the next token. */
function takeSign(scan: Scan, sign: string): boolean {
  const { at } = scan
  if (take(scan)?.[1] === sign) return true
  scan.at = at
  return false
}

/** Moves past a value; returns what is wrong where the scan then is. */
function takeValue(scan: Scan, depth: number): string | undefined {
  if (depth > depthMax) return `Nest objects and lists at most ${depthMax} deep.`
  const { at } = scan
  const token = take(scan)
  const sign = token?.[1]
  if (token !== undefined && sign === undefined) return undefined
  if (sign === '{') return takeItems(scan, '}', createTakeMember(depth))
  if (sign === '[') return takeItems(scan, ']', () => takeValue(scan, depth + 1))
  scan.at = at
  return 'Expected a value: text is in double quotes, as are the names of members.'
}

function takeItems(
  scan: Scan,
  end: string,
  takeItem: (scan: Scan) => string | undefined,
): string | undefined {
  if (takeSign(scan, end)) return undefined
  do {
    const detail = takeItem(scan)
    if (detail !== undefined) return detail
  } while (takeSign(scan, ','))
  return takeSign(scan, end) ? undefined : `Expected "," or "${end}".`
}

function createTakeMember(depth: number): (scan: Scan) => string | undefined {
  const names = new Set<string>()
  return (scan) => {
    const { at } = scan
    const name = take(scan)?.[2]
    if (name === undefined) {
      scan.at = at
      return 'Expected the name of a member in double quotes.'
    }
    const parsed = String(JSON.parse(name))
    if (names.has(parsed)) {
      Object.assign(scan, { at, repeated: parsed })
      return 'The object has this member twice. Leave one of them out.'
    }
    names.add(parsed)
    if (!takeSign(scan, ':')) return 'Expected ":" after the name of the member.'
    return takeValue(scan, depth + 1)
  }
}
