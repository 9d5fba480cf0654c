import type { Happening } from '../jobs/emit.ts'
import type { ChatMessage, ChatSender } from '../providers/chat.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { Tx } from '../store/store.ts'
import { explainChatError, type ChatVerdict } from './explain-chat-error.ts'
import { saveDefaultChannelHealth } from './default-channel-rows.ts'
import { defaultRouteId } from './match-route.ts'
import { keyOfMessage } from './message-key.ts'
import type { NotificationDeps } from './notification-deps.ts'
import {
  beginStep,
  isBehind,
  keyName,
  nextAttemptAt,
  park,
  planStep,
  settleStep,
  settleUnopened,
  type Step,
  type StepOutcome,
} from './notification-protocol.ts'
import { awaitTurn, holdTurns } from './pace-messages.ts'
import { enqueueSend } from './refresh-notification.ts'
import { renderSubject, type Rendering } from './render-subject.ts'
import { saveRouteHealth } from './route-rows.ts'
import {
  findParentRow,
  lockNotificationRow,
  lockNotificationRows,
  saveNotificationRows,
  type NotificationRow,
} from './rows.ts'

/** Longer than a call may take. */
const leaseMs = 120_000
/** How long what belongs into a thread waits for its message, unless that arrives. */
const parentWaitMs = 10 * 60_000

/** A step that is committed to, with all that the call needs. */
interface BegunStep extends Rendering {
  readonly row: NotificationRow
  readonly step: Step
  readonly channelId: string
  readonly threadId: string | undefined
}

/** What the provider was asked for. */
interface PerformedStep extends BegunStep {
  readonly messageUrl: string | null
}

/**
 * Takes one step towards the message saying what it is to say: a post, an update, or an answer in its thread. Safe to
 * repeat at any time, by any number of workers. What a provider refuses is written down, and never thrown.
 */
export async function sendNotification(
  deps: NotificationDeps,
  happening: Happening,
): Promise<void> {
  const { orgId } = happening
  if (!(await isDue(deps, happening))) return
  const sender = await open(deps, orgId)
  if ('remedy' in sender) return settleClosed(deps, happening, sender)
  const begun = await beginNext(deps, happening, sender)
  if (begun === undefined) return
  const outcome = await perform(sender, begun)
  const messageUrl = await findMessageUrl(sender, begun.row, outcome)
  await settle(deps, orgId, { ...begun, messageUrl }, outcome)
}

/** Where people read what was just posted. That it stands there counts, and not whether its address is known. */
async function findMessageUrl(
  sender: ChatSender,
  { subjectKind, messageUrl }: NotificationRow,
  outcome: StepOutcome,
): Promise<string | null> {
  if (outcome.type !== 'posted') return messageUrl
  if (subjectKind !== 'deployment') return null
  try {
    return (await sender.findUrl?.(outcome.reference)) ?? null
  } catch (error) {
    if (error instanceof ProviderError) return null
    throw error
  }
}

/** Whether there is anything to send now; if later, that is arranged. */
function isDue(deps: NotificationDeps, { orgId, id }: Happening): Promise<boolean> {
  return deps.store.transaction({ orgId }, async (tx) => {
    const row = await lockNotificationRow(tx, orgId, id)
    return row !== undefined && isFree(deps, tx, orgId, row)
  })
}

async function isFree(
  deps: NotificationDeps,
  tx: Tx,
  orgId: string,
  row: NotificationRow,
): Promise<boolean> {
  if (!isBehind(row)) return false
  const now = deps.now()
  if ((row.holdUntil ?? now) <= now && (row.leaseUntil ?? now) <= now) return true
  await enqueueSend(deps, tx, orgId, row)
  return false
}

async function open(deps: NotificationDeps, orgId: string): Promise<ChatSender | ChatVerdict> {
  try {
    return await deps.chat.open(orgId)
  } catch (error) {
    return toVerdict(error)
  }
}

function toVerdict(error: unknown): ChatVerdict {
  if (error instanceof ProviderError) return explainChatError(error)
  throw error
}

/** Renders, plans and commits to the next step. */
function beginNext(
  deps: NotificationDeps,
  { orgId, id }: Happening,
  { capabilities }: ChatSender,
): Promise<BegunStep | undefined> {
  return deps.store.transaction({ orgId }, async (tx) => {
    const row = await lockNotificationRow(tx, orgId, id)
    if (row === undefined || !(await isFree(deps, tx, orgId, row))) return undefined
    const now = deps.now()
    const parent = await findThread(tx, orgId, row)
    const channelId = channelOf(row, parent)
    if (parent?.reference === null || channelId === null) {
      const holdUntil = new Date(now.getTime() + parentWaitMs)
      await saveNotificationRows(tx, orgId, [{ ...row, holdUntil }], now)
      return undefined
    }
    const rendering = await renderSubject(deps, tx, orgId, row)
    const step = planStep(row, capabilities)
    if (rendering === undefined || step === undefined) {
      const parked = rendering === undefined ? { state: 'gone' as const } : park(row)
      await saveNotificationRows(tx, orgId, [{ ...row, ...parked }], now)
      return undefined
    }
    const waiting = await awaitTurn(tx, orgId, row, { step, channelId, now })
    if (waiting !== undefined) {
      await saveNotificationRows(tx, orgId, [waiting], now)
      await enqueueSend(deps, tx, orgId, waiting)
      return undefined
    }
    const begun = await saveBegun(deps, tx, orgId, { ...row, ...beginStep(row, step), channelId })
    return { ...rendering, row: begun, step, channelId, threadId: parent?.reference?.messageId }
  })
}

/** With a lease, and a job that takes over should this process end before the step does. */
async function saveBegun(
  deps: NotificationDeps,
  tx: Tx,
  orgId: string,
  row: NotificationRow,
): Promise<NotificationRow> {
  const now = deps.now()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const begun = { ...row, fence: row.fence + 1, leaseUntil }
  await saveNotificationRows(tx, orgId, [begun], now)
  await enqueueSend(deps, tx, orgId, begun)
  return begun
}

function channelOf(row: NotificationRow, parent: Thread | undefined): string | null {
  return row.reference?.channelId ?? parent?.reference?.channelId ?? row.channelId
}

type Thread = Pick<NotificationRow, 'reference'>

/** The message in whose thread the row is told; `undefined`: in none. */
async function findThread(
  tx: Tx,
  orgId: string,
  row: NotificationRow,
): Promise<Thread | undefined> {
  if (row.subjectKind !== 'deployment_details' && row.subjectKind !== 'deployment_failure') {
    return undefined
  }
  return (await findParentRow(tx, orgId, row)) ?? { reference: null }
}

/** One call to the provider, and one to enter the channel where it asks for that. */
async function perform(sender: ChatSender, begun: BegunStep): Promise<StepOutcome> {
  try {
    return await call(sender, begun)
  } catch (error) {
    const verdict = toVerdict(error)
    const mayJoin = verdict.remedy === 'join' && begun.row.reason !== 'joined'
    return mayJoin ? join(sender, begun.channelId, verdict) : { type: 'failed', verdict }
  }
}

async function call(
  sender: ChatSender,
  { row, step, message, channelId, threadId }: BegunStep,
): Promise<StepOutcome> {
  const key = keyOfMessage(keyName(row.id, row, step))
  switch (step.type) {
    case 'post':
      return { type: 'posted', reference: await sender.post(message, toPost()) }
    case 'update':
      await sender.update(step.reference, message)
      return { type: 'done' }
    case 'reply':
      await sender.post(toChange(message), {
        channelId: step.reference.channelId,
        key,
        threadId: threadId ?? step.reference.messageId,
      })
      return { type: 'done' }
  }
  function toPost() {
    const broadcast = row.subjectKind === 'deployment_failure' ? { broadcast: true } : {}
    return { channelId, key, ...(threadId === undefined ? {} : { threadId, ...broadcast }) }
  }
}

/** What changed, below a message that cannot say it. */
function toChange({ text, blocks }: ChatMessage): ChatMessage {
  return { text: `Now: ${text}`, blocks }
}

async function join(
  sender: ChatSender,
  channelId: string,
  verdict: ChatVerdict,
): Promise<StepOutcome> {
  if (sender.join === undefined) return { type: 'failed', verdict }
  try {
    await sender.join(channelId)
    return { type: 'joined' }
  } catch (error) {
    const refusal = toVerdict(error)
    // What keeps it out for good is that it is not in the channel, whatever the provider said to the attempt.
    const isPassing = ['wait', 'retry', 'reconnect'].includes(refusal.remedy)
    return { type: 'failed', verdict: isPassing ? refusal : verdict }
  }
}

async function settleClosed(
  deps: NotificationDeps,
  { orgId, id }: Happening,
  verdict: ChatVerdict,
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const row = await lockNotificationRow(tx, orgId, id)
    if (row === undefined || !(await isFree(deps, tx, orgId, row))) return
    const now = deps.now()
    const next = { ...row, ...settleUnopened(row, verdict) }
    const holdUntil = nextAttemptAt(next, { type: 'failed', verdict }, now)
    await saveNotificationRows(tx, orgId, [{ ...next, holdUntil }], now)
    if (isBehind(next)) await enqueueSend(deps, tx, orgId, { ...next, holdUntil })
  })
}

async function settle(
  deps: NotificationDeps,
  orgId: string,
  begun: PerformedStep,
  outcome: StepOutcome,
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const now = deps.now()
    const rows = await lockNotificationRows(tx, orgId, begun.row.subjectId)
    const row = rows.find(({ id }) => id === begun.row.id)
    // Somebody else took over while this call took too long; what he writes is the truth.
    if (row === undefined || row.fence !== begun.row.fence) return
    const isTold = outcome.type === 'posted' || outcome.type === 'done'
    const next = toSettled(row, begun, outcome, now)
    const isPosted = outcome.type === 'posted' && row.subjectKind === 'deployment'
    const parts = isPosted ? rows.filter((one) => isPartOf(one, row)) : []
    const freed = parts.map((part) => ({ ...part, holdUntil: null }))
    await saveNotificationRows(tx, orgId, [next, ...freed], now)
    for (const one of [next, ...freed].filter(isBehind)) await enqueueSend(deps, tx, orgId, one)
    const pauseUntil = outcome.type === 'failed' ? outcome.verdict.retryAt : undefined
    if (pauseUntil !== undefined) await holdTurns(tx, orgId, begun, pauseUntil)
    const reason = next.state === 'broken' ? next.reason : null
    if (isTold || reason !== null) await saveHealth(tx, orgId, { ...begun, reason })
  })
}

/** Of the route, or of the channel that is everybody's where there is none. */
async function saveHealth(
  tx: Tx,
  orgId: string,
  {
    row,
    channelId,
    reason,
  }: Pick<BegunStep, 'row' | 'channelId'> & { readonly reason: string | null },
): Promise<void> {
  if (row.routeId === defaultRouteId) {
    await saveDefaultChannelHealth(tx, orgId, { channelId, reason })
  } else {
    await saveRouteHealth(tx, orgId, { id: row.routeId, reason })
  }
}

/** The row after a step. */
function toSettled(
  row: NotificationRow,
  { step, isFailing, messageUrl }: PerformedStep,
  outcome: StepOutcome,
  now: Date,
): NotificationRow {
  const settled = { ...row, ...settleStep(row, step, outcome) }
  const isTold = outcome.type === 'posted' || outcome.type === 'done'
  return {
    ...settled,
    messageUrl,
    leaseUntil: null,
    holdUntil: nextAttemptAt(settled, outcome, now),
    toldFailure: isTold ? hasToldFailure(row, isFailing) : row.toldFailure,
  }
}

/** Of an integration that works again the next trouble is news. A deployment has failed once and for all. */
function hasToldFailure(
  { subjectKind, toldFailure }: NotificationRow,
  isFailing: boolean,
): boolean {
  return subjectKind === 'integration' ? isFailing : toldFailure || isFailing
}

function isPartOf(one: NotificationRow, message: NotificationRow): boolean {
  return one.routeId === message.routeId && one.id !== message.id
}
