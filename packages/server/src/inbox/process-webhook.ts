import { cutText, Problem } from '@signalbox/contract'
import type { ChatEvent } from '../providers/chat/chat.ts'
import type { CodehostEvent } from '../providers/codehosts/event.ts'
import type { TrackerEvent } from '../providers/tracker-event.ts'
import { findProvider, findSharingTracker } from '../providers/find-provider.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { errorCodeOf } from '../store/error-code.ts'
import { sqlStateOf } from '../store/store-problem.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import {
  noAccount,
  noIntegration,
  noWebhooks,
  type DeliveryResult,
  type DeliveryState,
} from './delivery.ts'
import { unpackBody } from './packed-body.ts'
import { claimDelivery, settleDelivery, type ClaimedDelivery } from './rows.ts'

/** Names the integration that a webhook is about. */
export interface FoundIntegration {
  readonly orgId: string
  readonly integrationId: string
}

/** Handles an event of an integration. It must be safe to repeat: a handler may run again after it has committed. */
export type EventHandler<Event> = (of: FoundIntegration, event: Event) => Promise<DeliveryResult>

/** Describes the dependencies of `processWebhook`. */
export interface ProcessDeps {
  readonly store: Pick<Store, 'maintenance'>
  /** Finds the integration that is connected to an account of a provider. */
  readonly findIntegration: (
    provider: string,
    accountId: string,
  ) => Promise<FoundIntegration | undefined>
  readonly codehost: EventHandler<CodehostEvent>
  readonly chat: EventHandler<ChatEvent>
  readonly tracker: EventHandler<TrackerEvent>
  readonly log: Log
  readonly now: () => Date
}

/** Describes a try of a stored webhook. */
export interface ProcessWebhook {
  readonly id: string
  /** True when the queue does not try it again after this. */
  readonly isLastTry: boolean
}

/**
 * Hands a stored webhook to its handler, and records the outcome. Leaves one alone that is processed already.
 *
 * @throws what the handler threw, so that the queue tries again. After the last try it throws nothing: the row is `dead`, and
 * the webhooks behind it are processed. One that fails by its own content has two tries: a third would fail as well, and those
 * behind it would wait.
 */
export async function processWebhook(
  deps: ProcessDeps,
  { id, isLastTry }: ProcessWebhook,
): Promise<void> {
  const { store, log, now } = deps
  const claimed = await store.maintenance((tx) => claimDelivery(tx, id))
  if (claimed === undefined) return
  const integration = await findOwner(deps, claimed)
  let shared: SharedEvent | undefined
  const settle = (state: DeliveryState, reason: string | null) =>
    store.maintenance((tx) =>
      settleDelivery(tx, {
        id,
        orgId: (integration ?? shared?.integration)?.orgId ?? null,
        state,
        reason,
        processedAt: now(),
      }),
    )
  try {
    const body = await unpackBody(claimed.body)
    shared = await readShared(deps, claimed, body)
    const own = await handleDelivery(deps, claimed, { integration, body })
    const result = shared === undefined ? own : await handleShared(deps, own, shared)
    await settle(result.outcome, result.outcome === 'ignored' ? result.reason : null)
  } catch (error) {
    const { isHopeless, reason } = judgeFailure(error, claimed.attempts)
    const isOver = isLastTry || isHopeless
    await settle(isOver ? 'dead' : 'failed', reason)
    if (!isOver) throw error
    log.error('Could not process a webhook; giving up', {
      error,
      reason,
      orgId: (integration ?? shared?.integration)?.orgId,
    })
  }
}

async function findOwner(
  { findIntegration }: ProcessDeps,
  { provider, accountId }: ClaimedDelivery,
): Promise<FoundIntegration | undefined> {
  return accountId === null ? undefined : findIntegration(provider, accountId)
}

/** Describes what a webhook says to a tracker that may share the connection of its provider. */
interface SharedEvent {
  readonly integration: FoundIntegration
  readonly event: TrackerEvent
}

/** Reads what a webhook says to such a tracker; `undefined`: nothing, or nobody has connected it. */
async function readShared(
  { findIntegration }: ProcessDeps,
  { provider, event: name, accountId }: ClaimedDelivery,
  body: Buffer,
): Promise<SharedEvent | undefined> {
  const tracker = findSharingTracker(provider)
  const event = tracker?.shared?.parse(name, body)
  if (tracker === undefined || event === undefined) return undefined
  if (event.type === 'ignored' || accountId === null) return undefined
  const integration = await findIntegration(tracker.name, accountId)
  return integration && { integration, event }
}

/** Tells the tracker as well. The webhook is done where one of the two is; else the tracker's reason is the more precise one. */
async function handleShared(
  { tracker }: ProcessDeps,
  own: DeliveryResult,
  { integration, event }: SharedEvent,
): Promise<DeliveryResult> {
  const result = await tracker(integration, event)
  return result.outcome === 'done' || own.outcome === 'ignored' ? result : own
}

async function handleDelivery(
  { codehost, chat, tracker }: ProcessDeps,
  claimed: ClaimedDelivery,
  {
    integration,
    body,
  }: { readonly integration: FoundIntegration | undefined; readonly body: Buffer },
): Promise<DeliveryResult> {
  const { event: name, accountId } = claimed
  const provider = findProvider(claimed.provider)
  const handOver = async <Event extends CodehostEvent | ChatEvent | TrackerEvent>(
    handle: EventHandler<Event>,
    event: Event | undefined,
  ): Promise<DeliveryResult> => {
    if (event === undefined) return { outcome: 'ignored', reason: noWebhooks }
    if (event.type === 'ignored') return { outcome: 'ignored', reason: event.reason }
    if (integration !== undefined) return handle(integration, event)
    return { outcome: 'ignored', reason: accountId === null ? noAccount : noIntegration }
  }
  switch (provider?.kind) {
    case 'chat':
      return handOver(chat, provider.webhooks?.parse(name, body, accountId))
    case 'tracker':
      return handOver(tracker, provider.webhooks?.parse(name, body, accountId))
    case 'codehost':
    case undefined:
      return handOver(codehost, provider?.webhooks?.parse(name, body, accountId))
  }
}

const triesOfContent = 2

/** Matches the states of PostgreSQL that are about a value: it cannot be stored, is against a rule, or is too long for an index. */
const statesOfContent = /^(?:22|23|54)/

/** Returns whether an error is about what a webhook says, and not about the moment: a provider, the database, the system. */
function isOfContent(error: unknown): boolean {
  if (error instanceof Problem || error instanceof ProviderError) return false
  const code = errorCodeOf(error)
  return code === undefined || (sqlStateOf(error) !== undefined && statesOfContent.test(code))
}

/** Returns whether another try would fail as well, and the reason that people see. */
function judgeFailure(
  error: unknown,
  attempts: number,
): { readonly isHopeless: boolean; readonly reason: string } {
  const isHopeless = attempts >= triesOfContent && isOfContent(error)
  return { isHopeless, reason: isHopeless ? explainContent(error) : toShownReason(error) }
}

function explainContent(error: unknown): string {
  const what = sqlStateOf(error) ?? (error instanceof Error ? error.name : 'unknown')
  return `Signalbox failed twice at what this webhook says (${what}), so those behind it no longer wait. The cause is in the server’s log.`
}

/** Returns the reason that people see: only texts written for them, because any other may quote what was sent. */
function toShownReason(error: unknown): string {
  if (error instanceof Problem || error instanceof ProviderError) return cutText(error.message, 500)
  return 'Signalbox hit an unexpected error. The cause is in the server’s log.'
}
