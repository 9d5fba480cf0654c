/** Returns the address of a listener as a person types it. A listener on all interfaces is `localhost` on this machine. */
export function listenerUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
