import { randomUUID } from 'node:crypto'
import type { EmitGithubEvent, GithubEvent } from '../emit.ts'
import { toNodeId } from '../shapes/node-id.ts'
import type { GithubApp, GithubState } from '../state.ts'
import { createFlakyTransport, type DeliveryFaults } from '../../http/delivery-faults.ts'
import {
  createDeliveryLog,
  type Delivery,
  type DeliveryLog,
  type OutgoingEvent,
} from './delivery-log.ts'
import { encodeEvent } from './encode-event.ts'
import { postToLoopback, type Posted } from '../../http/post-to-loopback.ts'
import { recipientsOf, type Recipient } from './recipients.ts'

/** Describes GitHub's webhooks: signed, sent once, listed as deliveries, and never retried by themselves. */
export interface Hooks {
  readonly emit: EmitGithubEvent
  readonly deliveries: DeliveryLog
  readonly faults: DeliveryFaults
  /** Limits the time of a receiver. Default 10,000, as on github.com. */
  timeLimitMs: number
  /** Sends a delivery again, under the same GUID. Returns before it has arrived. */
  redeliver(delivery: Delivery): void
  /** Resolves when no delivery is in flight. Deliveries that are held back do not count. */
  settled(): Promise<void>
  reset(): void
}

/** Creates the webhooks. Each delivery goes to the address that the app has at that moment. */
export function createHooks(state: GithubState): Hooks {
  const deliveries = createDeliveryLog(state.clock)
  const faults = createFlakyTransport()
  const underWay = new Set<Promise<void>>()
  const track = (sending: Promise<void>) => {
    const tracked = sending.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
    return tracked
  }
  const dispatch = (outgoing: OutgoingEvent, isRedelivery: boolean) => {
    const send = () => track(deliver(outgoing, isRedelivery))
    if (!faults.holdBack({ event: outgoing.event, send })) void send()
  }
  const deliver = async (outgoing: OutgoingEvent, isRedelivery: boolean) => {
    const app = state.apps.get(outgoing.appId)
    // GitHub neither sends nor logs deliveries of a webhook that is not active.
    if (app?.webhookUrl === undefined) return
    const outcome = faults.takeOutcome()
    for (let times = outcome === 'twice' ? 2 : 1; times > 0; times -= 1) {
      const attempt = { app, outgoing, isLost: outcome === 'lost', timeLimitMs: hooks.timeLimitMs }
      const tried = await tryOnce(state, attempt)
      // A delivery that was in flight at a reset belongs to an app that is gone.
      if (state.apps.get(app.id) === app) deliveries.add({ ...tried, isRedelivery })
    }
  }
  const hooks: Hooks = {
    emit(event) {
      for (const recipient of recipientsOf(state, event)) dispatch(wrap(event, recipient), false)
    },
    deliveries,
    faults,
    timeLimitMs: 10_000,
    redeliver: (delivery) => dispatch(delivery, true),
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
    reset() {
      deliveries.reset()
      faults.reset()
      hooks.timeLimitMs = 10_000
    },
  }
  return hooks
}

/** Serialized at once, so that later changes do not show in it. */
function wrap(event: GithubEvent, { app, installationId }: Recipient): OutgoingEvent {
  const installation = installationId !== undefined && {
    installation: {
      id: installationId,
      node_id: toNodeId('IntegrationInstallation', installationId),
    },
  }
  const { name, action = null, repository, payload } = event
  return {
    appId: app.id,
    guid: randomUUID(),
    event: name,
    action,
    installationId: installationId ?? null,
    repositoryId: repository?.id ?? null,
    json: JSON.stringify({ ...installation, ...payload }),
  }
}

interface Attempt {
  readonly app: GithubApp
  readonly outgoing: OutgoingEvent
  readonly isLost: boolean
  readonly timeLimitMs: number
}

async function tryOnce(
  state: GithubState,
  { app, outgoing, isLost, timeLimitMs }: Attempt,
): Promise<Omit<Delivery, 'isRedelivery'>> {
  const { headers, body } = encodeEvent(app, outgoing)
  const url = app.webhookUrl
  const deliveredAt = state.clock.now()
  const posted: Posted =
    isLost || url === undefined
      ? { outcome: 'unreachable' }
      : await postToLoopback({ url, headers, body, timeLimitMs })
  const isAnswered = posted.outcome === 'answered'
  return {
    ...outgoing,
    id: state.nextId(),
    deliveredAt,
    durationSeconds: (state.clock.now().getTime() - deliveredAt.getTime()) / 1000,
    ...statusOf(posted),
    url,
    requestHeaders: headers,
    response: isAnswered ? { headers: posted.headers, body: posted.body } : undefined,
  }
}

function statusOf(posted: Posted): Pick<Delivery, 'status' | 'statusCode'> {
  switch (posted.outcome) {
    case 'answered': {
      const { statusCode } = posted
      const isOk = statusCode >= 200 && statusCode < 300
      return { statusCode, status: isOk ? 'OK' : `Invalid HTTP Response: ${statusCode}` }
    }
    case 'timed_out':
      return { statusCode: 504, status: 'timed out' }
    case 'unreachable':
      return { statusCode: 502, status: 'failed to connect to host' }
    case 'refused':
      return { statusCode: 502, status: 'refused: the sandbox sends to this machine only' }
  }
}
