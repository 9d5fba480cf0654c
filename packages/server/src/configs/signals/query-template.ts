/** Lists what a query can name of the change that it is asked about. */
export const placeholders = ['environment', 'schema', 'version', 'flag'] as const
type Placeholder = (typeof placeholders)[number]

/** Maps placeholders to their values. */
export type Filling = Readonly<Record<Placeholder, string>>

/** Describes a value of a label: the quotes, whether it is a regular expression, and the text between the quotes. */
interface LabelValue {
  readonly quote: string
  readonly isPattern: boolean
  readonly text: string
}

type Part = string | LabelValue

/** Describes a query of Prometheus whose labels name the change. */
export interface QueryTemplate {
  readonly parts: readonly Part[]
  /** Lists the placeholders that it has. */
  readonly names: ReadonlySet<Placeholder>
}

/** Says where a placeholder can't be filled. */
export interface Misplaced {
  readonly text: string
  /** Counts the characters before it. */
  readonly at: number
}

const braced = /(?<!\\[pP])\{([A-Za-z_]\w*)\}/g
const bare = /^\{[A-Za-z_]\w*\}/
const knownNames: ReadonlySet<string> = new Set(placeholders)
/** A string of PromQL, a comment, or one character. Backslashes escape in two of the three kinds of strings. */
const token = /"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|`[^`]*`?|#[^\n]*|[^]/gy

/**
 * Reads a query of Prometheus, whose placeholders stand in the values of labels: `up{env="{environment}"}`. Anywhere else, a name
 * could be a query of its own.
 */
export function readTemplate(query: string): QueryTemplate | Misplaced {
  const parts: Part[] = []
  const names = new Set<Placeholder>()
  let depth = 0
  let before = ''
  for (const { 0: text, index } of query.matchAll(token)) {
    const isLabel = depth > 0 && /[=~]\s*$/.test(before) && /^["']/.test(text)
    const misplaced = isLabel ? findUnknown(text, names) : findKnown(query, text, index)
    if (misplaced !== undefined) return { text: misplaced.text, at: index + misplaced.at }
    if (text === '{') depth += 1
    if (text === '}') depth -= 1
    if (text.startsWith('#')) continue
    const inside = { quote: text.charAt(0), text: text.slice(1, -1) }
    parts.push(isLabel ? { ...inside, isPattern: /~\s*$/.test(before) } : text)
    before = (before + text).slice(-20)
  }
  return { parts, names }
}

/** Adds the placeholders of a label's value, and returns one that does not exist. */
function findUnknown(text: string, names: Set<Placeholder>): Misplaced | undefined {
  for (const { 0: match, 1: name = '', index } of text.matchAll(braced)) {
    if (!isPlaceholder(name)) return { text: match, at: index }
    names.add(name)
  }
  return undefined
}

/** Returns a placeholder in a string that is no label's value, or outside of strings. A comment is not read. */
function findKnown(query: string, text: string, index: number): Misplaced | undefined {
  if (text.startsWith('#')) return undefined
  const within = text === '{' ? (bare.exec(query.slice(index, index + 20))?.[0] ?? '') : text
  for (const { 0: match, 1: name = '', index: at } of within.matchAll(braced)) {
    if (isPlaceholder(name)) return { text: match, at }
  }
  return undefined
}

function isPlaceholder(name: string): name is Placeholder {
  return knownNames.has(name)
}

/** Returns the query about one change. What is filled in stays the value of its label, and matches itself alone. */
export function fillTemplate({ parts }: QueryTemplate, filling: Filling): string {
  return parts.map((part) => (typeof part === 'string' ? part : fill(part, filling))).join('')
}

function fill({ quote, isPattern, text }: LabelValue, filling: Filling): string {
  const filled = text.replaceAll(braced, (_found, name: Placeholder) => {
    const value = filling[name]
    return escapeString(isPattern ? escapePattern(value) : value, quote)
  })
  return `${quote}${filled}${quote}`
}

/** Escapes what has a meaning in RE2. */
function escapePattern(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)
}

/** Escapes as a string of Go, whose rules PromQL follows. A line must not end within it. */
function escapeString(text: string, quote: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(/\p{Cc}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
