import type { Answer } from './route.ts'

type Headers = Readonly<Record<string, string>>

/** Answers with a JSON document. */
export function json(value: unknown, status = 200, headers: Headers = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

/** Returns `application/x-www-form-urlencoded`, which GitHub sends to clients that do not ask for JSON. */
export function formEncoded(fields: Headers, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(fields).toString(),
  }
}

/** Answers without a body. */
export function empty(status = 204, headers: Headers = {}): Answer {
  return { status, headers }
}

/** Redirects the browser. */
export function redirect(to: string | URL, status: 302 | 303 = 302): Answer {
  return { status, headers: { location: String(to) } }
}

/** Answers with a page. */
export function html(text: string, status = 200): Answer {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action *; base-uri 'none'",
    },
    body: text,
  }
}
