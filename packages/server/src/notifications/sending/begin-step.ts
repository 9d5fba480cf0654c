import type {
  ChatCall,
  ChatCapabilities,
  ChatReference,
  ChatSender,
  RateBudget,
} from '../../providers/chat/chat.ts'
import type { Tx } from '../../store/store.ts'
import { composeSubject, type Rendering } from '../messages/render-subject.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import {
  findParentRow,
  saveNotificationRows,
  type NotificationRef,
  type NotificationRow,
} from '../rows.ts'
import { leaseMs, lockDueRow, saveToSend } from './due-rows.ts'
import { hasEarlierUnsentVersion } from '../../read-models/notifications/subject-rows.ts'
import { saveChannelHealth } from './channel-health.ts'
import { awaitBudgets } from './limit-rate.ts'
import { beginProgress, earliestAt, park, planStep, type Step } from './notification-protocol.ts'

/** Limits the time that a message of a thread waits for the one that begins it. */
const parentWaitMs = 10 * 60_000
/** Limits the time that a message about a version waits for one about an earlier version that is not sent yet. */
const unsentWaitMs = 2 * 60_000
/** The same for one that is not written down yet, and may not be wanted. */
const unknownWaitMs = 15_000
/** Looks so often whether the earlier one is sent. */
const orderCheckMs = 500

/** Describes a step that is committed to, with all that the call needs. */
export interface BegunStep extends Rendering, Pick<ChatCapabilities, 'repeatMs'> {
  readonly row: NotificationRow
  readonly step: Step
  readonly channelId: string
  /** Holds the message to answer to. */
  readonly thread: ChatReference | undefined
  readonly budgets: readonly RateBudget[]
}

/** Renders, plans, and commits to the next step; `undefined`: there is none now. */
export function beginStep(
  deps: NotificationDeps,
  { orgId, id }: NotificationRef,
  sender: ChatSender,
): Promise<BegunStep | undefined> {
  return deps.store.transaction({ orgId }, async (tx) => {
    const row = await lockDueRow(deps, tx, orgId, id)
    if (row === undefined) return undefined
    const now = deps.now()
    const { next, step, isWoken = false } = await planNext(deps, { tx, orgId, row, now }, sender)
    // The job of a step takes over should this process end before the step does.
    if (isWoken) await saveNotificationRows(tx, orgId, [next], now)
    else await saveToSend(deps, tx, orgId, [next])
    if (next.state === 'broken' && next.channelId !== null) {
      const { routeId, channelId, reason } = next
      await saveChannelHealth(tx, orgId, { routeId, channelId, reason, deliveredAt: null })
    }
    return step
  })
}

interface DueRow {
  readonly tx: Tx
  readonly orgId: string
  readonly row: NotificationRow
  readonly now: Date
}

/** Holds the row as it is stored next, and the step that it begins, if any. */
interface PlannedRow {
  readonly next: NotificationRow
  readonly step?: BegunStep
  /** Says that another message adds the job of this one. */
  readonly isWoken?: boolean
}

/** Plans the next step of a message, or what it waits for, or its end. */
async function planNext(
  deps: NotificationDeps,
  { tx, orgId, row, now }: DueRow,
  sender: ChatSender,
): Promise<PlannedRow> {
  const inMs = (ms: number) => ({ ...row, holdUntil: new Date(now.getTime() + ms) })
  const target = await findTarget(tx, orgId, row)
  if (target === undefined) return { next: inMs(parentWaitMs), isWoken: true }
  if (await waitsForEarlier(tx, orgId, row, now)) return { next: inMs(orderCheckMs) }
  const rendering = await composeSubject(deps, tx, orgId, row)
  if (rendering === undefined) return { next: { ...row, state: 'gone' } }
  const { repeatMs } = sender.capabilities
  const step = planStep(row, { ...sender.capabilities, lookup: sender.find !== undefined }, now)
  if (step === undefined) return { next: { ...row, ...park(row), channelId: target.channelId } }
  const budgets = sender.budgetsOf({ type: callOf(step), channelId: target.channelId })
  const waiting =
    awaitArrival(row, step, now) ?? (await awaitBudgets(tx, orgId, row, { budgets, now }))
  if (waiting !== undefined) return { next: waiting }
  const next = toLeased(row, step, target, { now, holder: deps.jobs.nodeId })
  return { next, step: { ...rendering, ...target, row: next, step, budgets, repeatMs } }
}

/** Returns the row as it waits for a post that may be on its way; `undefined` when the step may be done now. */
function awaitArrival(row: NotificationRow, step: Step, now: Date): NotificationRow | undefined {
  const holdUntil = earliestAt(step)
  return holdUntil !== undefined && holdUntil > now ? { ...row, holdUntil } : undefined
}

/** Returns whether the message is about a version whose predecessor's message is not posted: readers read them in order. */
function waitsForEarlier(
  tx: Tx,
  orgId: string,
  { subjectKind, subjectId, routeId, reference }: NotificationRow,
  now: Date,
): Promise<boolean> {
  if (subjectKind !== 'configuration' || reference !== null) return Promise.resolve(false)
  return hasEarlierUnsentVersion(tx, orgId, {
    versionId: subjectId,
    routeId,
    unsentSince: new Date(now.getTime() - unsentWaitMs),
    unknownSince: new Date(now.getTime() - unknownWaitMs),
  })
}

function callOf({ type }: Step): ChatCall['type'] {
  return type === 'reply' ? 'post' : type
}

function toLeased(
  row: NotificationRow,
  step: Step,
  { channelId }: Target,
  { now, holder: leaseHolder }: { readonly now: Date; readonly holder: string },
): NotificationRow {
  const leaseUntil = new Date(now.getTime() + leaseMs)
  return {
    ...row,
    ...beginProgress(row, step, now),
    channelId,
    fence: row.fence + 1,
    leaseUntil,
    leaseHolder,
  }
}

type Target = Pick<BegunStep, 'channelId' | 'thread'>

/** The channel of the message, and the thread where it belongs into one; `undefined`: they are not known yet. */
async function findTarget(
  tx: Tx,
  orgId: string,
  row: NotificationRow,
): Promise<Target | undefined> {
  const isReply =
    row.subjectKind === 'deployment_details' || row.subjectKind === 'deployment_failure'
  const thread = isReply ? (await findParentRow(tx, orgId, row))?.reference : undefined
  const channelId = row.reference?.channelId ?? thread?.channelId ?? row.channelId
  if (channelId === null || (isReply && !thread)) return undefined
  return { channelId, thread: thread ?? undefined }
}
