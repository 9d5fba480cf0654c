import { limits, Problem } from '@signalbox/contract'

/** Holds a validated request target. */
export interface Target {
  /** Holds the path as sent, without the query. */
  readonly path: string
  /** Holds names and values as sent: a repeated name has several values. */
  readonly query: Readonly<Record<string, string | string[]>>
}

/**
 * Matches `.` and `..`, plain or encoded. A server that resolves them reads another path than a proxy in front that
 * does not.
 */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** Matches percent-encoded control characters. None of our names has one, and logs and headers must not contain them. */
const encodedControl = /%(?:0[0-9a-f]|1[0-9a-f]|7f)/i

/**
 * Parses the target of a request, in origin form (`/path?query`).
 *
 * @throws {Problem} `url_too_long`, `invalid_path` or `invalid_query`.
 */
export function readTarget(target: string): Target {
  if (Buffer.byteLength(target) > limits.urlBytes) {
    throw new Problem('url_too_long', `The URL may have at most ${limits.urlBytes} bytes.`)
  }
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  if (!path.startsWith('/') || /[\\#]/.test(path) || !decodes(path)) {
    const detail = 'The path must be percent-encoded UTF-8 without control characters.'
    throw new Problem('invalid_path', detail)
  }
  if (dotSegment.test(path)) {
    throw new Problem('invalid_path', 'The path must not contain the segments "." and "..".')
  }
  return { path, query: mark < 0 ? {} : readQuery(target.slice(mark + 1)) }
}

function readQuery(text: string): Record<string, string | string[]> {
  if (!decodes(text.replaceAll('+', ' '), /%(?:0[0-8bcef]|1[0-9a-f]|7f)/i)) {
    const detail = 'The query must be percent-encoded UTF-8 without control characters.'
    throw new Problem('invalid_query', detail)
  }
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const present = query[name]
    if (present === undefined) query[name] = value
    else if (Array.isArray(present)) present.push(value)
    else query[name] = [present, value]
  }
  return query
}

function decodes(text: string, forbidden = encodedControl): boolean {
  if (!text.includes('%')) return true
  if (forbidden.test(text)) return false
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Refuses a request without a valid Host (RFC 9112 §3.2).
 *
 * @throws {Problem} `invalid_path`.
 */
export function requireHost(host: string | undefined): void {
  if (host !== undefined && URL.canParse(`http://${host}`)) return
  throw new Problem('invalid_path', 'The request target or the Host header is not valid.')
}
