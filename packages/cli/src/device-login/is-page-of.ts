const ownNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Returns whether a page is of the server that was asked: the same scheme, host and port. The names of this machine mean the same
 * host. A server behind a proxy may name another address on purpose; so may one that wants to lead somebody elsewhere.
 */
export function isPageOf(pageUrl: string, serverUrl: string): boolean {
  const [page, server] = [new URL(pageUrl), new URL(serverUrl)]
  if (page.origin === server.origin) return true
  const isHere = ownNames.has(page.hostname) && ownNames.has(server.hostname)
  return isHere && page.protocol === server.protocol && page.port === server.port
}
