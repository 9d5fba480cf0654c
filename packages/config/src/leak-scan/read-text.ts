/** Describes a text as the running program reads it, and maps positions back to the file. */
export interface Reading {
  readonly text: string
  /** Returns where the letter at `at` begins in the original. */
  origin(at: number): number
}

/**
 * Returns `text` itself, and its reading with concatenated or joined string literals merged and escapes decoded:
 * `"sk_" + 'live'`, `["sk_", "live"].join("")`, `"sk\x5flive"`.
 */
export function readText(text: string): Reading[] {
  const plain: Reading = { text, origin: (at) => at }
  const parts: string[] = []
  const starts: number[] = []
  const origins: number[] = []
  let length = 0
  let from = 0
  const add = (part: string, origin: number) => {
    if (part === '') return
    parts.push(part)
    starts.push(length)
    origins.push(origin)
    length += part.length
  }
  for (const match of text.matchAll(seams)) {
    add(text.slice(from, match.index), from)
    add(unescape(match[0]), match.index)
    from = match.index + match[0].length
  }
  if (from === 0) return [plain]
  add(text.slice(from), from)
  const origin = (at: number) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    return (origins[low] ?? 0) + at - (starts[low] ?? 0)
  }
  return [plain, { text: parts.join(''), origin }]
}

/**
 * Matches the end of one literal and the beginning of the next, or an escape (ECMA-262 §12.9.4). It is bounded, so
 * that no input is slow.
 */
const seams =
  /["'`]\s{0,99}[+,]\s{0,99}["'`]|\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|\r?\n|[^ux])/gi

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
}

function unescape(seam: string): string {
  if (!seam.startsWith('\\')) return ''
  const code = /^\\[ux]\{?([\da-f]+)/i.exec(seam)?.[1]
  if (code !== undefined) return fromCode(Number.parseInt(code, 16))
  const [, letter = ''] = seam
  return /[\r\n]/.test(letter) ? '' : (letters[letter] ?? letter)
}

function fromCode(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code)
}
