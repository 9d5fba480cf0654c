import { randomUUID, createHmac, randomBytes } from 'node:crypto'
import type { EmitGithubEvent, GithubEvent } from '../emit.ts'
import { toNodeId } from '../shapes/node-id.ts'
import type { GithubApp, GithubState, GithubInstallation } from '../state.ts'
import {
  createHookSender,
  type DeliveryFaults,
} from '../../../../../../sandbox/src/models/hook-sender.ts'
import {
  createDeliveryLog,
  type Delivery,
  type DeliveryLog,
  type OutgoingEvent,
} from './delivery-log.ts'
import { postToLoopback, type Posted } from '../../../../../../sandbox/src/http/post-to-loopback.ts'
import { covers } from '../access/reach.ts'

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
  const sender = createHookSender()
  const dispatch = (outgoing: OutgoingEvent, isRedelivery: boolean) => {
    const find = () => state.apps.get(outgoing.appId)
    const attempt = async (isLost: boolean) => {
      const app = find()
      if (app === undefined) return
      const { timeLimitMs } = hooks
      const tried = await tryOnce(state, { app, outgoing, isLost, timeLimitMs })
      // A delivery that was in flight at a reset belongs to an app that is gone.
      if (state.apps.get(app.id) === app) deliveries.add({ ...tried, isRedelivery })
    }
    sender.send({
      event: outgoing.event,
      // GitHub neither sends nor logs deliveries of a webhook that is not active.
      isDue: () => find()?.webhookUrl !== undefined,
      post: () => attempt(false),
      lose: () => attempt(true),
    })
  }
  const hooks: Hooks = {
    emit(event) {
      for (const recipient of recipientsOf(state, event)) dispatch(wrap(event, recipient), false)
    },
    deliveries,
    faults: sender.faults,
    timeLimitMs: 10_000,
    redeliver: (delivery) => dispatch(delivery, true),
    settled: () => sender.settled(),
    reset() {
      deliveries.reset()
      sender.faults.reset()
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

/** Describes an event as it is sent: headers and bytes. */
interface EncodedEvent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const agent = `GitHub-Hookshot/${randomBytes(4).toString('hex').slice(0, 7)}`

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
} as const

/**
 * Encodes an event with the app's content type, and signs the bytes that are sent.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers
 */
function encodeEvent(app: GithubApp, { guid, event, json }: OutgoingEvent): EncodedEvent {
  const isForm = app.webhookContentType === 'form'
  const body = Buffer.from(isForm ? new URLSearchParams({ payload: json }).toString() : json)
  return {
    body,
    headers: {
      Accept: '*/*',
      'Content-Length': String(body.length),
      'Content-Type': contentTypes[app.webhookContentType],
      'User-Agent': agent,
      'X-GitHub-Delivery': guid,
      'X-GitHub-Event': event,
      'X-GitHub-Hook-ID': String(app.hookId),
      'X-GitHub-Hook-Installation-Target-ID': String(app.id),
      'X-GitHub-Hook-Installation-Target-Type': 'integration',
      ...(app.webhookSecret !== '' && { 'X-Hub-Signature-256': sign(app.webhookSecret, body) }),
    },
  }
}

function sign(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** Describes an app that receives an event, and the installation it receives it for. `undefined`: for the app itself. */
interface Recipient {
  readonly app: GithubApp
  readonly installationId: number | undefined
}

/** Lists the events that every app receives, subscribed or not. */
const eventsOfEveryApp: ReadonlySet<string> = new Set([
  'github_app_authorization',
  'installation',
  'installation_repositories',
  'ping',
])

/**
 * Returns the recipients of an event: the app that it names, or every app that subscribes to it and has an
 * installation, not suspended, that reaches the repository.
 */
function recipientsOf(state: GithubState, event: GithubEvent): readonly Recipient[] {
  if (event.appId !== undefined) {
    const app = state.apps.get(event.appId)
    return app === undefined ? [] : [{ app, installationId: event.installationId }]
  }
  return [...state.installations.values()]
    .filter((installation) => isAbout(event, installation))
    .flatMap((installation) => {
      const app = state.apps.get(installation.appId)
      const isSubscribed = app !== undefined && listens(app, event.name)
      return isSubscribed ? [{ app, installationId: installation.id }] : []
    })
}

function isAbout(event: GithubEvent, installation: GithubInstallation): boolean {
  if (installation.suspendedAt !== undefined) return false
  const { installationId, repository } = event
  if (installationId !== undefined && installationId !== installation.id) return false
  if (repository === undefined) return installationId !== undefined
  return covers(installation, repository)
}

function listens({ events }: GithubApp, name: string): boolean {
  return eventsOfEveryApp.has(name) || events.includes(name)
}
