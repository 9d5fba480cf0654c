import { createHmac, randomBytes } from 'node:crypto'
import type { SlackState } from './state.ts'

const answerWithinMs = 3_000

/** Posts a body to the app's address as Slack does: signed, without following redirects, within three seconds. */
export function sendSigned(
  { app, clock }: SlackState,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const timestamp = String(Math.floor(clock.now().getTime() / 1000))
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': sign(app.signingSecret, timestamp, body),
      ...headers,
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(answerWithinMs),
  })
}

/** Returns `X-Slack-Signature` (docs.slack.dev, verifying requests from Slack). */
function sign(secret: string, timestamp: string, body: string): string {
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`)
  return `v0=${mac.digest('hex')}`
}

/**
 * Sends `url_verification`. Throws when the challenge does not come back, and for an address of another machine,
 * because the sandbox must not reach any.
 */
export async function verifyUrl(state: SlackState, url: string): Promise<void> {
  const { hostname } = new URL(url)
  const isLoopback = /^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)
  if (!isLoopback) throw new Error(`Events are sent to this machine only, not to ${hostname}`)
  const challenge = randomBytes(24).toString('hex')
  const token = state.app.verificationToken
  const body = JSON.stringify({ token, challenge, type: 'url_verification' })
  const response = await sendSigned(state, url, body)
  const text = await response.text()
  if (response.ok && challengeOf(text) === challenge) return
  throw new Error(`${url} does not answer the challenge`)
}

/** Returns the challenge of a response: text, a form, or JSON. */
function challengeOf(text: string): string | null {
  if (text.startsWith('challenge=')) return new URLSearchParams(text).get('challenge')
  return /"challenge"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? text.trim()
}
