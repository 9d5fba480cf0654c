const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Returns whether an address is a program on the person's own computer (RFC 8252 §7.3). */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && loopback.has(hostname)
}

/**
 * Returns the address that a code is sent to, or `undefined` when the assistant has not registered it. Addresses are
 * compared as texts. Only the port of a loopback address may differ, because programs use any free one (RFC 8252 §7.3).
 * Plain http elsewhere, and schemes such as `javascript:`, are refused even when they are registered.
 */
export function findRedirect(registered: readonly string[], address: string): URL | undefined {
  if (!URL.canParse(address) || address.includes('#')) return undefined
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return undefined
  if (url.protocol !== 'https:' && !isLoopback(url)) return undefined
  const isRegistered = registered.some(
    (known) => known === address || (isLoopback(url) && equalButPort(known, url)),
  )
  return isRegistered ? url : undefined
}

function equalButPort(known: string, url: URL): boolean {
  if (!URL.canParse(known)) return false
  const other = new URL(known)
  other.port = url.port
  return other.href === url.href
}

/** Returns an address with what the assistant is told: `code` or `error`, its `state`, and who says it (RFC 9207). */
export function addAnswer(
  redirect: URL,
  answer: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(answer)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
