/** Returns whether an address leads to the machine that opens it. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)
}

/**
 * Returns the origin to which GitHub sends webhooks. GitHub refuses a loopback address, and keeps its log, from which webhooks are
 * fetched then, only for an active webhook. So such a server gets an address that leads nowhere (RFC 6761 §6.4).
 */
export function toWebhookOrigin(publicUrl: string): string {
  return isLoopback(publicUrl) ? 'https://signalbox.invalid' : publicUrl
}
