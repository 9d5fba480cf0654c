import type { PageRef } from '@signalbox/contract'
import { z } from 'zod'
import type { Egress } from '../../egress/create-egress.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { isOrganizationDeleted } from '../../read-models/notifications/is-organization-deleted.ts'
import type { Store } from '../../store/store.ts'
import type { Log } from '../../telemetry/log.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { leaseDueMessages, saveAttempt, type LeasedMessage } from './message-rows.ts'
import { renderRequest } from './render-request.ts'
import { openSecrets } from './save-webhook.ts'
import { goneReason, nextAttempt } from './webhook.ts'
import { findWebhookRow, saveWebhookHealth } from './webhook-rows.ts'

/** Describes what sending works with. */
export interface SendDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly keys: Pick<OrganizationKeys, 'getSealer'>
  readonly egress: Pick<Egress, 'request'>
  readonly pageUrl: NotificationDeps['pageUrl']
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  /** Holds the webhooks that this node sends messages of, so that a slow receiver holds up no other. */
  readonly busy: Set<string>
}

const perBatch = 10
/** A receiver answers within 15 seconds, or the attempt has failed. */
const timeoutMs = 15_000
/** Longer than an attempt and what follows it: a node that lives is not overtaken. */
const leaseMs = 60_000

/**
 * Sends the messages that are due, at least once each: of a webhook one round at a time. Returns how many it tried.
 */
export async function sendDueMessages(deps: SendDeps): Promise<number> {
  const { store, busy } = deps
  const now = deps.now()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const leased = await store.maintenance((tx) =>
    leaseDueMessages(tx, { now, leaseUntil, limit: perBatch, except: [...busy] }),
  )
  const byWebhook = Map.groupBy(leased, ({ webhookId }) => webhookId)
  for (const webhookId of byWebhook.keys()) busy.add(webhookId)
  await Promise.all(
    [...byWebhook].map(async ([webhookId, messages]) => {
      await Promise.all(messages.map((message) => trySending(deps, message)))
      busy.delete(webhookId)
    }),
  )
  return leased.length
}

async function trySending(deps: SendDeps, message: LeasedMessage): Promise<void> {
  try {
    await sendMessage(deps, message)
  } catch (error) {
    // Its lease ends, and the next attempt follows.
    const { orgId, attempts } = message
    deps.log.warn('A message of an outgoing webhook was not sent', { orgId, attempts, error })
  }
}

/** Lists the reasons for which a message is not sent, whatever its receiver is like. */
const unsentReasons: ReadonlySet<string | null> = new Set(['org_deleted', 'switched_off'])

interface Outcome {
  readonly status: number | null
  /** `null`: it arrived. */
  readonly reason: string | null
}

async function sendMessage(deps: SendDeps, message: LeasedMessage): Promise<void> {
  const { orgId, webhookId: id } = message
  const prepared = await deps.store.transaction({ orgId }, async (tx) => {
    const webhook = await findWebhookRow(tx, orgId, id)
    if (webhook === undefined) return undefined
    const isDeleted = await isOrganizationDeleted(tx, orgId)
    const sealer = await deps.keys.getSealer(tx, orgId)
    return { webhook, isDeleted, secrets: openSecrets(sealer, orgId, webhook) }
  })
  // Deleted in the meantime, and its messages with it.
  if (prepared === undefined) return
  const { webhook, isDeleted, secrets } = prepared
  const now = deps.now()
  const isOverlapping = webhook.overlapEndsAt !== null && webhook.overlapEndsAt > now
  const isSwitchedOff = !webhook.enabled && message.type !== 'webhook.test'
  const unsent = isDeleted ? 'org_deleted' : isSwitchedOff ? 'switched_off' : undefined
  const outcome = unsent
    ? { status: null, reason: unsent }
    : await attempt(
        deps,
        webhook.url,
        renderRequest(withPage(deps, message), {
          format: webhook.format,
          secrets,
          isOverlapping,
          now,
        }),
      )
  await settle(deps, message, outcome)
}

const ofChange = z.looseObject({
  number: z.number().optional(),
  schemaId: z.string().optional(),
  versionId: z.string().optional(),
})

const ofDecision = z.looseObject({ id: z.string().default('') })
const decisionTypes: ReadonlySet<string> = new Set([
  'deployment.waiting',
  'deployment.passed',
  'deployment.refused',
])

/** Adds the address of its page to a message about a request, a proof or a decision: the database doesn't know where the dashboard is. */
function withPage({ pageUrl }: SendDeps, message: LeasedMessage): LeasedMessage {
  if (decisionTypes.has(message.type)) {
    const decision = ofDecision.parse(message.data)
    const params = { decisionId: decision.id }
    const page = { page: 'gateDecision', params } as const
    return { ...message, data: { ...decision, url: pageUrl(message.orgId, page) } }
  }
  if (!message.type.startsWith('change.')) return message
  const data = ofChange.parse(message.data)
  const { number, schemaId: schema = '', versionId: version = '' } = data
  const page: PageRef =
    number === undefined
      ? { page: 'history', search: { schema, version } }
      : { page: 'request', params: { requestId: String(number) } }
  return { ...message, data: { ...data, url: pageUrl(message.orgId, page) } }
}

async function attempt(
  { egress }: SendDeps,
  url: string,
  request: ReturnType<typeof renderRequest>,
): Promise<Outcome> {
  try {
    const { status } = await egress.request(url, {
      method: 'POST',
      ...request,
      timeoutMs,
      maxBytes: 64 * 1024,
    })
    return { status, reason: status >= 200 && status < 300 ? null : `http_${status}` }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { status: null, reason: error.code }
  }
}

async function settle(
  { store, now }: SendDeps,
  { orgId, id, webhookId, attempts }: LeasedMessage,
  { status, reason }: Outcome,
): Promise<void> {
  const at = now()
  const isUnsent = unsentReasons.has(reason)
  const isFinal = reason === goneReason || isUnsent
  const nextAttemptAt = reason === null || isFinal ? null : nextAttempt(attempts, at)
  const state = reason === null ? 'sent' : nextAttemptAt === null ? 'failed' : 'waiting'
  await store.transaction({ orgId }, async (tx) => {
    const sentAt = reason === null ? at : null
    await saveAttempt(tx, orgId, {
      webhookId,
      id,
      attempts,
      state,
      status,
      reason,
      nextAttemptAt,
      sentAt,
    })
    if (isUnsent) return
    await saveWebhookHealth(tx, orgId, {
      id: webhookId,
      reason,
      now: at,
      isGone: reason === goneReason,
    })
  })
}
