import { createHmac, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { readWebhookSamples } from '../../../packages/server/src/providers/github/testing/webhook-samples.ts'

/** An application at GitHub that the service has, and that sends webhooks to it. */
export interface WebhookSender {
  /** The settings of the service that it needs. */
  readonly env: Readonly<Record<string, string>>
  sign(body: Buffer): string
  /** The headers of a genuine webhook. */
  headersOf(
    body: Buffer,
    sent?: { readonly event?: string; readonly deliveryId?: string },
  ): Record<string, string>
}

export function createWebhookSender(): WebhookSender {
  const secret = randomBytes(32).toString('base64url')
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const sign = (body: Buffer) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return {
    env: {
      SIGNALBOX_GITHUB_APP_ID: '1',
      SIGNALBOX_GITHUB_APP_SLUG: 'signalbox',
      SIGNALBOX_GITHUB_CLIENT_ID: 'client',
      SIGNALBOX_GITHUB_CLIENT_SECRET: randomBytes(20).toString('hex'),
      SIGNALBOX_GITHUB_PRIVATE_KEY: privateKey,
      SIGNALBOX_GITHUB_WEBHOOK_SECRET: secret,
    },
    sign,
    headersOf: (body, { event = 'deployment_status', deliveryId = randomUUID() } = {}) => ({
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': deliveryId,
      'x-hub-signature-256': sign(body),
    }),
  }
}

/** GitHub's own example of a status of a deployment, as of an installation. */
export function sampleStatus(installationId: number): Buffer {
  const sample = readWebhookSamples().find(({ event }) => event === 'deployment_status')
  return Buffer.from(
    JSON.stringify({ ...Object(sample?.payload), installation: { id: installationId } }),
  )
}
