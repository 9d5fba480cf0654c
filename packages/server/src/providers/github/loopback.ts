/** Tells whether an address is of the machine that it is opened on. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(hostname)
}

/**
 * Returns the origin that GitHub is to send webhooks to. It takes no address of this machine, and keeps its log, from which
 * they are fetched then, only of a webhook that is active. So it is given one that leads to nobody (RFC 6761 §6.4).
 */
export function toWebhookOrigin(publicUrl: string): string {
  return isLoopback(publicUrl) ? 'https://signalbox.invalid' : publicUrl
}
