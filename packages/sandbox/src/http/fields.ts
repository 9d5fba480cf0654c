import type { SandboxRequest } from './route.ts'

/** The fields of a body, whether form or JSON, as text. What is no text is written as JSON; a broken body has no fields. */
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

/** The body as a JSON object; anything else is an empty one. */
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

/** The token of `Authorization: Bearer …` or `token …`, as GitHub takes it; empty when there is none. */
export function bearerOf({ headers }: SandboxRequest): string {
  return /^(?:bearer|token) +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''
}

/** Name and password of `Authorization: Basic …`. */
export function basicOf({ headers }: SandboxRequest): readonly [string, string] | undefined {
  const encoded = /^basic +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))]
}
