import type { SlackEvent } from '@slack/types'
import { createRetryQueue } from '../../../../../sandbox/src/models/retry-queue.ts'
import { newId, type SlackState } from './state.ts'
import { createHmac, randomBytes } from 'node:crypto'

/** Describes the Events API, which posts events to the address of the app. */
export interface SlackEvents {
  /** Returns before anything has arrived. Nothing is sent while the app has no address. */
  emit(event: SlackEvent): void
  /**
   * Sets the address after it has answered the challenge, as the settings page of a Slack app does. Throws when it
   * does not answer.
   */
  setUrl(url: string | undefined): Promise<void>
  /** Drops the events that have not been delivered. */
  reset(): void
}

/** Lists the delays of the retries: at once, after a minute, after five. */
const retryAfterMs = [0, 60_000, 300_000]

interface Delivery {
  readonly body: string
  /** Holds the reason of the last failure, in the words of `x-slack-retry-reason`. */
  readonly reason: string
}

/** Creates the Events API. */
export function createSlackEvents(state: SlackState): SlackEvents {
  const { clock, app } = state
  const queue = createRetryQueue<Delivery>(clock, retryAfterMs, async (delivery, retry) => {
    if (app.eventsUrl === undefined) return undefined
    const reason = await failureOf(state, app.eventsUrl, { ...delivery, retry })
    return reason === undefined ? undefined : { ...delivery, reason }
  })
  return {
    emit(event) {
      if (app.eventsUrl === undefined) return
      queue.send({ body: JSON.stringify(envelope(state, event)), reason: '' })
    },
    async setUrl(url) {
      app.eventsUrl = undefined
      if (url !== undefined) await verifyUrl(state, url)
      app.eventsUrl = url
    },
    reset: () => queue.reset(),
  }
}

function envelope({ app, team, bot, clock }: SlackState, event: SlackEvent) {
  return {
    token: app.verificationToken,
    team_id: team.id,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: newId('Ev'),
    event_time: Math.floor(clock.now().getTime() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: bot.id,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  }
}

/** Sends a delivery. Returns the reason for a retry in Slack's words. `undefined`: it arrived. */
async function failureOf(
  state: SlackState,
  url: string,
  { body, reason, retry }: Delivery & { readonly retry: number },
): Promise<string | undefined> {
  const headers = { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': reason }
  try {
    const response = await sendSigned(state, url, body, retry === 0 ? {} : headers)
    await response.body?.cancel()
    const isDone = response.ok || response.headers.get('x-slack-no-retry') === '1'
    return isDone ? undefined : 'http_error'
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    return isTimeout ? 'http_timeout' : 'connection_failed'
  }
}

const answerWithinMs = 3_000

/** Posts a body to the app's address as Slack does: signed, without following redirects, within three seconds. */
function sendSigned(
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
async function verifyUrl(state: SlackState, url: string): Promise<void> {
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
