const everyAnswer = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** Lists the headers of every JSON answer: no cache stores it, and no browser runs anything in it. */
export const apiHeaders = {
  ...everyAnswer,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/**
 * Returns the headers of an HTML page: only its own scripts, styles and images, nothing inline, no frame around it.
 * Forms go to this server, or to the sources of `formsTo`, as the policy writes them.
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
    // No policy may turn text into code or markup: neither our code nor React's creates one.
    "trusted-types 'none'",
  ]
  return {
    ...everyAnswer,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy.join('; '),
    'Content-Type': 'text/html; charset=utf-8',
  }
}

/** Returns HSTS when the public address is https: a browser that was here once never tries plain http again. */
export function transportHeaders(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https://')
    ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
    : {}
}
