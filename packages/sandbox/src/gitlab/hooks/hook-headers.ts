import { createHash, createHmac } from 'node:crypto'
import type { GitlabHook, GitlabState } from '../state.ts'

/** Describes a request to a hook before it has headers. */
export interface HookRequest {
  readonly hook: GitlabHook
  readonly name: string
  readonly eventId: string
  readonly messageId: string
  readonly body: Buffer
}

/**
 * Returns the headers of a request to a hook: the secret itself as `X-Gitlab-Token`, and the signature of Standard
 * Webhooks where the hook has a signing token.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/
 */
export function headersOf(
  { baseUrl, clock, settings }: GitlabState,
  { hook, name, eventId, messageId, body }: HookRequest,
): Record<string, string> {
  const { token, signingToken } = hook
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'User-Agent': `GitLab/${settings.version}`,
    'Idempotency-Key': messageId,
    'X-Gitlab-Event': name,
    'X-Gitlab-Webhook-UUID': uuidOf(hook.id),
    'X-Gitlab-Instance': baseUrl,
    'X-Gitlab-Event-UUID': eventId,
    ...(token !== undefined && { 'X-Gitlab-Token': token }),
    ...(signingToken !== undefined && sign(signingToken, messageId, clock.now(), body)),
  }
}

/** Signs `{id}.{timestamp}.{body}` with the key's bytes (standardwebhooks.com). */
function sign(signingToken: string, id: string, now: Date, body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(signingToken.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac.digest('base64')}`,
  }
}

/** Returns an id of the hook that stays the same. */
function uuidOf(id: number): string {
  const hex = createHash('sha256').update(`hook ${id}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
