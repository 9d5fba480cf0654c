import { randomUUID, createHash, createHmac } from 'node:crypto'
import { postToLoopback, type Posted } from '../../../../../../sandbox/src/http/post-to-loopback.ts'
import {
  createHookSender,
  type DeliveryFaults,
} from '../../../../../../sandbox/src/models/hook-sender.ts'
import type {
  GitlabHook,
  GitlabHookEvent,
  GitlabProject,
  GitlabState,
  GitlabTrigger,
} from '../state.ts'
import { countFailure, countSuccess, isExecutable } from './failing-hooks.ts'

/** Describes an event of a project, before it is known which hooks get it. */
export interface GitlabEvent {
  readonly project: GitlabProject
  readonly trigger: GitlabTrigger
  /** Holds the value of `X-Gitlab-Event`. Example: `Deployment Hook`. */
  readonly name: string
  readonly payload: object
}

/** Describes GitLab's webhooks: made by the API, one by one for each project, and switched off when they fail. */
export interface GitlabHooks {
  /** Sends an event to the hooks of the project that want it. Returns before anything has arrived. */
  emit(event: GitlabEvent): void
  /** Loses, repeats and shuffles. What is lost leaves no trace in the log, as above the limit of a namespace. */
  readonly faults: DeliveryFaults
  /** Limits the time of a receiver. Default 10,000. */
  timeLimitMs: number
  /** Sends an event to one hook even if it is switched off, and resolves to its status: a success switches it on again. */
  test(hook: GitlabHook, event: GitlabEvent): Promise<string>
  /** Sends a logged event again, under the same id. Resolves to the status. */
  resend(project: GitlabProject, hook: GitlabHook, event: GitlabHookEvent): Promise<string>
  /** Resolves when nothing is under way. Events that are held back do not count. */
  settled(): Promise<void>
  reset(): void
}

interface Outgoing {
  readonly project: GitlabProject
  readonly hook: GitlabHook
  readonly name: string
  readonly trigger: string
  /** Holds the id of the event, which all hooks of the project share. */
  readonly eventId: string
  /** Holds the id of the message, which a repeat keeps. */
  readonly messageId: string
  readonly json: string
}

/** Creates the webhooks. */
export function createHooks(state: GitlabState): GitlabHooks {
  const sender = createHookSender()
  const send = async (outgoing: Outgoing): Promise<string> => {
    const event = await post(state, outgoing, hooks.timeLimitMs)
    const { hook } = outgoing
    hook.events.push(event)
    // Counts any status from 200 to 299 as a success, and nothing else.
    if (/^2\d\d$/.test(event.responseStatus)) countSuccess(hook)
    else countFailure(state, hook)
    return event.responseStatus
  }
  const hooks: GitlabHooks = {
    emit(event) {
      const eventId = randomUUID()
      for (const hook of event.project.hooks.values()) {
        if (!hook.triggers.has(event.trigger)) continue
        const outgoing = wrap(event, hook, eventId)
        sender.send({
          event: event.name,
          async post() {
            if (isExecutable(state, hook)) await send(outgoing)
          },
        })
      }
    },
    faults: sender.faults,
    timeLimitMs: 10_000,
    test: (hook, event) => send(wrap(event, hook, randomUUID())),
    resend: (project, hook, { trigger, requestHeaders, requestData }) =>
      send({
        project,
        hook,
        trigger,
        name: requestHeaders['X-Gitlab-Event'] ?? '',
        eventId: requestHeaders['X-Gitlab-Event-UUID'] ?? '',
        messageId: requestHeaders['Idempotency-Key'] ?? '',
        json: JSON.stringify(requestData),
      }),
    settled: () => sender.settled(),
    reset() {
      sender.faults.reset()
      hooks.timeLimitMs = 10_000
    },
  }
  return hooks
}

/** Serializes the event at once, so that later changes do not show in it. */
function wrap({ project, trigger, name, payload }: GitlabEvent, hook: GitlabHook, eventId: string) {
  const json = JSON.stringify(payload)
  return {
    project,
    hook,
    name,
    trigger: trigger.replace(/_events$/, '_hooks'),
    eventId,
    messageId: randomUUID(),
    json,
  }
}

async function post(
  state: GitlabState,
  outgoing: Outgoing,
  timeLimitMs: number,
): Promise<GitlabHookEvent> {
  const { hook, trigger, json } = outgoing
  const body = Buffer.from(json)
  const headers = headersOf(state, { ...outgoing, body })
  const at = state.clock.now()
  const posted = await postToLoopback({ url: hook.url, headers, body, timeLimitMs })
  return {
    id: state.nextId(),
    url: hook.url,
    trigger,
    requestHeaders: {
      ...headers,
      ...(hook.token !== undefined && { 'X-Gitlab-Token': '[REDACTED]' }),
    },
    requestData: JSON.parse(json),
    ...responseOf(posted),
    executionDuration: (state.clock.now().getTime() - at.getTime()) / 1000,
    at,
  }
}

function responseOf(
  posted: Posted,
): Pick<GitlabHookEvent, 'responseHeaders' | 'responseBody' | 'responseStatus'> {
  if (posted.outcome === 'answered') {
    const { headers, body, statusCode } = posted
    return { responseHeaders: headers, responseBody: body, responseStatus: String(statusCode) }
  }
  return { responseHeaders: {}, responseBody: posted.outcome, responseStatus: 'internal error' }
}

/** Describes a request to a hook before it has headers. */
interface HookRequest {
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
function headersOf(
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
