const everyAnswer = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** Headers of every JSON answer: nothing is kept by a cache, and nothing in it is ever run. */
export const apiHeaders = {
  ...everyAnswer,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/**
 * Headers of an HTML page: only its own scripts, styles and images, nothing inline, no frame around it. Forms go to this
 * server, or to the one origin of `formsTo`.
 */
export function pageHeaders({ formsTo = "'self'" } = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    `form-action ${formsTo}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Text becomes code or markup by no policy at all: nothing of ours or of React's makes one.
    "trusted-types 'none'",
  ]
  return {
    ...everyAnswer,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy.join('; '),
    'Content-Type': 'text/html; charset=utf-8',
  }
}

/** Sent when the public address is https: a browser that was here once never tries plain http again. */
export function transportHeaders(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https://')
    ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
    : {}
}
