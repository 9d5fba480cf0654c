import type {
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
    const planned = row && (await planNext(deps, { tx, orgId, row }, sender))
    if (planned !== undefined) await savePlanned(deps, tx, orgId, planned)
    return planned?.step
  })
}

interface DueRow {
  readonly tx: Tx
  readonly orgId: string
  readonly row: NotificationRow
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
  { tx, orgId, row }: DueRow,
  sender: ChatSender,
): Promise<PlannedRow> {
  const now = deps.now()
  const inMs = (ms: number) => ({ ...row, holdUntil: new Date(now.getTime() + ms) })
  const target = await findTarget(tx, orgId, row)
  if (target === undefined) return { next: inMs(parentWaitMs), isWoken: true }
  if (await waitsForEarlier(tx, orgId, row, now)) return { next: inMs(orderCheckMs) }
  const rendering = await composeSubject(deps, tx, orgId, row)
  if (rendering === undefined) return { next: { ...row, state: 'gone' } }
  const { channelId } = target
  const { repeatMs } = sender.capabilities
  const step = planStep(row, { ...sender.capabilities, lookup: sender.find !== undefined }, now)
  if (step === undefined) return { next: { ...row, ...park(row), channelId } }
  const budgets = sender.budgetsOf({ type: step.type === 'reply' ? 'post' : step.type, channelId })
  const earliest = earliestAt(step)
  const waiting =
    earliest !== undefined && earliest > now
      ? { ...row, holdUntil: earliest }
      : await awaitBudgets(tx, orgId, row, { budgets, now })
  if (waiting !== undefined) return { next: waiting }
  const next: NotificationRow = {
    ...row,
    ...beginProgress(row, step, now),
    channelId,
    fence: row.fence + 1,
    leaseUntil: new Date(now.getTime() + leaseMs),
    leaseHolder: deps.jobs.nodeId,
  }
  return { next, step: { ...rendering, ...target, row: next, step, budgets, repeatMs } }
}

async function savePlanned(
  deps: NotificationDeps,
  tx: Tx,
  orgId: string,
  { next, isWoken = false }: PlannedRow,
): Promise<void> {
  // The job of a step takes over should this process end before the step does.
  if (isWoken) await saveNotificationRows(tx, orgId, [next], deps.now())
  else await saveToSend(deps, tx, orgId, [next])
  const { state, routeId, channelId, reason } = next
  if (state === 'broken' && channelId !== null) {
    await saveChannelHealth(tx, orgId, { routeId, channelId, reason, deliveredAt: null })
  }
}

/** Returns whether the message is about a version whose predecessor's message is not posted: readers read them in order. */
async function waitsForEarlier(
  tx: Tx,
  orgId: string,
  { subjectKind, subjectId, routeId, reference }: NotificationRow,
  now: Date,
): Promise<boolean> {
  const isFirstOfVersion = subjectKind === 'configuration' && reference === null
  const before = (ms: number) => new Date(now.getTime() - ms)
  return (
    isFirstOfVersion &&
    hasEarlierUnsentVersion(tx, orgId, {
      versionId: subjectId,
      routeId,
      unsentSince: before(unsentWaitMs),
      unknownSince: before(unknownWaitMs),
    })
  )
}

/** The channel of the message, and the thread where it belongs into one; `undefined`: they are not known yet. */
async function findTarget(
  tx: Tx,
  orgId: string,
  row: NotificationRow,
): Promise<Pick<BegunStep, 'channelId' | 'thread'> | undefined> {
  const isReply =
    row.subjectKind === 'deployment_details' || row.subjectKind === 'deployment_failure'
  const thread = (isReply && (await findParentRow(tx, orgId, row))?.reference) || undefined
  const channelId = row.reference?.channelId ?? thread?.channelId ?? row.channelId
  return channelId === null || (isReply && !thread) ? undefined : { channelId, thread }
}
