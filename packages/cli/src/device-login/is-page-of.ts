const ownNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Returns whether a page belongs to the server: the same scheme, host and port. All names of this machine count as
 * one host. A server behind a proxy may name another address on purpose; so may one that wants to mislead.
 */
export function isPageOf(pageUrl: string, serverUrl: string): boolean {
  const [page, server] = [new URL(pageUrl), new URL(serverUrl)]
  if (page.origin === server.origin) return true
  const isHere = ownNames.has(page.hostname) && ownNames.has(server.hostname)
  return isHere && page.protocol === server.protocol && page.port === server.port
}
