import type { SlackEvent } from '@slack/types'
import { sendSigned, verifyUrl } from './send-event.ts'
import { newId, type SlackState } from './state.ts'

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

/** Lists the delays of the retries, each after the attempt before: at once, after a minute, after five. */
const retryAfterMs = [0, 60_000, 300_000]
/** Sets how often the clock is read for due retries. */
const pollEveryMs = 20

interface Delivery {
  readonly body: string
  /** Counts the retries. 0 for the first attempt. */
  readonly attempt: number
  /** Holds the reason of the last failure, in the words of `x-slack-retry-reason`. */
  readonly reason: string
  readonly dueAtMs: number
  /** Holds its queue. A reset starts another one. */
  readonly queue: Set<Delivery>
}

/** Creates the Events API. Events are independent of each other: a later one may arrive first. */
export function createSlackEvents(state: SlackState): SlackEvents {
  const { clock, app } = state
  let queue = new Set<Delivery>()
  let timer: NodeJS.Timeout | undefined

  function poll() {
    const nowMs = clock.now().getTime()
    for (const delivery of queue) {
      if (delivery.dueAtMs > nowMs) continue
      queue.delete(delivery)
      void deliver(delivery)
    }
    timer = queue.size === 0 ? undefined : setTimeout(poll, pollEveryMs).unref()
  }

  function enqueue(delivery: Delivery) {
    delivery.queue.add(delivery)
    timer ??= setTimeout(poll, 0).unref()
  }

  async function deliver(delivery: Delivery) {
    if (app.eventsUrl === undefined) return
    const sentAtMs = clock.now().getTime()
    const reason = await failureOf(state, app.eventsUrl, delivery)
    const waitMs = retryAfterMs[delivery.attempt]
    if (reason === undefined || waitMs === undefined) return
    const dueAtMs = sentAtMs + waitMs
    enqueue({ ...delivery, attempt: delivery.attempt + 1, reason, dueAtMs })
  }

  return {
    emit(event) {
      if (app.eventsUrl === undefined) return
      const dueAtMs = clock.now().getTime()
      const body = JSON.stringify(envelope(state, event))
      enqueue({ body, attempt: 0, reason: '', dueAtMs, queue })
    },
    async setUrl(url) {
      app.eventsUrl = undefined
      if (url !== undefined) await verifyUrl(state, url)
      app.eventsUrl = url
    },
    reset() {
      clearTimeout(timer)
      timer = undefined
      queue = new Set()
    },
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
  { body, attempt, reason }: Delivery,
): Promise<string | undefined> {
  const retry = { 'x-slack-retry-num': String(attempt), 'x-slack-retry-reason': reason }
  try {
    const response = await sendSigned(state, url, body, attempt === 0 ? {} : retry)
    await response.body?.cancel()
    const isDone = response.ok || response.headers.get('x-slack-no-retry') === '1'
    return isDone ? undefined : 'http_error'
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
    return isTimeout ? 'http_timeout' : 'connection_failed'
  }
}
