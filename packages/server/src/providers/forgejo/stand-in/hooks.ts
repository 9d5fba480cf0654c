import { createHmac, randomUUID } from 'node:crypto'
import { postToLoopback } from '../../../../../sandbox/src/http/post-to-loopback.ts'
import {
  createHookSender,
  type DeliveryFaults,
} from '../../../../../sandbox/src/models/hook-sender.ts'
import type { ForgejoHook, ForgejoRepository, ForgejoState } from './state.ts'

/** Describes an event of a repository, before it is known which webhooks get it. */
export interface ForgejoEvent {
  readonly repository: ForgejoRepository
  /** Example: `action_run_success`. */
  readonly name: string
  /** Names what a webhook is subscribed to, where several have the same name. Default: the name. */
  readonly type?: string
  readonly payload: object
}

/** Describes the webhooks: made by the API, one by one for each repository. None is ever switched off. */
export interface ForgejoHooks {
  /** Sends an event to the webhooks that want it. Returns before anything has arrived. */
  emit(event: ForgejoEvent): void
  readonly faults: DeliveryFaults
  /** Sends the last delivery again, under the same id, as a person does on its page. Does nothing when there is none. */
  sendLastAgain(): void
  /** Resolves when nothing is under way. Events that are held back do not count. */
  settled(): Promise<void>
  reset(): void
}

interface Outgoing {
  readonly hook: ForgejoHook
  readonly name: string
  readonly type: string
  readonly id: string
  readonly json: string
}

const timeLimitMs = 5_000

/** Creates the webhooks. */
export function createHooks(state: ForgejoState): ForgejoHooks {
  const sender = createHookSender()
  let last: Outgoing | undefined
  return {
    emit({ repository, name, type = name, payload }) {
      const json = JSON.stringify(payload)
      for (const hook of repository.hooks.values()) {
        if (!hook.active || !hook.events.includes(type)) continue
        const outgoing = { hook, name, type, id: randomUUID(), json }
        last = outgoing
        sender.send({ event: name, post: () => post(state, outgoing) })
      }
    },
    faults: sender.faults,
    sendLastAgain() {
      if (last !== undefined) sender.track(post(state, last))
    },
    settled: () => sender.settled(),
    reset() {
      sender.faults.reset()
      last = undefined
    },
  }
}

async function post(state: ForgejoState, { hook, name, type, id, json }: Outgoing): Promise<void> {
  // The instance notes on the page of the webhook that the address is not allowed, and nowhere else.
  if (!state.settings.allowsLocalHooks) return
  const body = Buffer.from(json)
  const headers = headersOf(state, { hook, name, type, id, body })
  const posted = await postToLoopback({ url: hook.url, headers, body, timeLimitMs })
  hook.delivered.push(posted.outcome === 'answered' ? posted.statusCode : 0)
}

/**
 * Returns the headers of a delivery. It carries those of three other products as well, the signature of one among them, so that
 * nobody can tell by a header who sent it.
 *
 * @see https://forgejo.org/docs/latest/user/webhooks/
 */
function headersOf(
  { settings }: ForgejoState,
  of: {
    readonly hook: ForgejoHook
    readonly name: string
    readonly type: string
    readonly id: string
    readonly body: Buffer
  },
): Record<string, string> {
  const { hook, name, type, id, body } = of
  const sign = (algorithm: string) =>
    hook.secret === '' ? '' : createHmac(algorithm, hook.secret).update(body).digest('hex')
  const sha256 = sign('sha256')
  const own = settings.product === 'gitea' ? ['Gitea'] : ['Forgejo', 'Gitea']
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'User-Agent': 'Go-http-client/1.1',
    ...Object.fromEntries(
      [...own, 'Gogs'].flatMap((product) => [
        [`X-${product}-Delivery`, id],
        [`X-${product}-Event`, name],
        [`X-${product}-Event-Type`, type],
        [`X-${product}-Signature`, sha256],
      ]),
    ),
    'X-GitHub-Delivery': id,
    'X-GitHub-Event': name,
    'X-GitHub-Event-Type': type,
    'X-Hub-Signature': `sha1=${sign('sha1')}`,
    'X-Hub-Signature-256': `sha256=${sha256}`,
  }
}
