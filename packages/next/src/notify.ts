import type { ConfigMessage } from './webhook/config-message.ts'
import { importSecret, sign } from './webhook/standard-webhooks.ts'

/** Describes the route to notify. */
export interface NotifyOptions {
  /** Holds the address of the route of `createRevalidateHandler`. Example: `https://shop.example.com/api/config-changed`. */
  readonly url: string
  /** Holds the secret that the route verifies with. */
  readonly secret: string
  /** As `getConfig` is given it. */
  readonly orgId: string
  /** As `getConfig` is given it. */
  readonly environment: string
}

const limitMs = 10_000

/**
 * Tells an application that the configuration of an environment has changed, for example in a step of a pipeline
 * after `signalbox push`. It may be repeated.
 *
 * @example
 * ```ts
 * import { notifyOfChange } from '@signalbox/next/notify'
 *
 * await notifyOfChange({
 *   url: 'https://shop.example.com/api/config-changed',
 *   secret: process.env.CONFIG_WEBHOOK_SECRET ?? '',
 *   orgId: 'acme',
 *   environment: 'production',
 * })
 * ```
 *
 * @throws {Error} when the application does not answer within ten seconds, or does not answer with a success.
 */
export async function notifyOfChange(options: NotifyOptions): Promise<void> {
  const { url, secret, orgId, environment } = options
  const now = new Date()
  const message: ConfigMessage = {
    type: 'config.changed',
    timestamp: now.toISOString(),
    data: { orgId, environment },
  }
  const body = JSON.stringify(message)
  const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': await sign(await importSecret(secret), { id, timestamp, body }),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(limitMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${new URL(url).origin} answered ${response.status}`)
}
