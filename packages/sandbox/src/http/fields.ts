import type { SandboxRequest } from './route.ts'

/**
 * Returns the fields of a form or JSON body as text. Values that are no text are written as JSON; a broken body has
 * no fields.
 */
export function readFields({ headers, body }: SandboxRequest): ReadonlyMap<string, string> {
  const text = body.toString('utf8')
  if (!(headers['content-type'] ?? '').includes('json')) return new Map(new URLSearchParams(text))
  return new Map(
    Object.entries(parseRecord(text)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

/** Returns the body as a JSON object. Anything else becomes an empty object. */
export function readJson({ body }: SandboxRequest): Readonly<Record<string, unknown>> {
  return parseRecord(body.toString('utf8'))
}

function parseRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : {}
  } catch {
    return {}
  }
}

/** Returns the token of `Authorization: Bearer …` or `token …`, which GitHub accepts too. Empty when there is none. */
export function bearerOf({ headers }: SandboxRequest): string {
  return /^(?:bearer|token) +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''
}

/** Returns name and password of `Authorization: Basic …`. */
export function basicOf({ headers }: SandboxRequest): readonly [string, string] | undefined {
  const encoded = /^basic +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))]
}
