import { listFatalSubjects } from '../../failed-jobs/rows.ts'
import { unknownReason } from '../../read-models/notifications/message-reasons.ts'
import { listUntoldEnds } from '../../read-models/notifications/proof-views.ts'
import type { Tx } from '../../store/store.ts'
import type { NotificationDeps } from '../notification-deps.ts'
import { releaseProgress } from './notification-protocol.ts'
import { enqueueSend, saveToSend } from './due-rows.ts'
import { listBehindRows, lockWaitingRows } from '../rows.ts'

/** Sends messages that never went out for a day; those in a channel are always updated. */
const recentMs = 24 * 60 * 60_000

/** Says which messages are released, and where they go by now. */
export interface Release {
  /** `null`: all routes. */
  readonly routeId: string | null
  readonly channelId?: string | null
}

/** Sends the messages that waited for a person, who has connected again, chosen a channel or corrected a route. */
export async function releaseNotifications(
  deps: Pick<NotificationDeps, 'jobs' | 'now'>,
  tx: Tx,
  orgId: string,
  { routeId, channelId = null }: Release,
): Promise<void> {
  const now = deps.now()
  const since = new Date(now.getTime() - recentMs)
  const waiting = await lockWaitingRows(tx, orgId, { routeId, since })
  const released = waiting
    // One that may have arrived can be looked for by now, or waits on. Without the time of its post it would be sent again.
    .filter(({ reason, triedAt }) => reason !== unknownReason || triedAt !== null)
    .map((row) => {
      const isFree = row.reference === null && !row.ambiguous
      const target = isFree ? (channelId ?? row.channelId) : row.channelId
      return { ...row, ...releaseProgress(row), channelId: target, holdUntil: null }
    })
    .filter((row) => row.channelId !== null)
  await saveToSend(deps, tx, orgId, released)
}

const sweepLimit = 500

/**
 * Adds jobs for messages that are behind, due and without a job: the rows are the truth, and jobs may be lost. The messages of
 * requests and proofs whose end no job has followed are written down again.
 */
export async function sweepNotifications(deps: NotificationDeps): Promise<void> {
  await deps.store.maintenance(async (tx) => {
    const except = await listFatalSubjects(tx, 'notifications.send')
    const behind = await listBehindRows(tx, { now: deps.now(), except, limit: sweepLimit })
    for (const { orgId, id } of behind) {
      await enqueueSend(deps, tx, orgId, { id, holdUntil: null, leaseUntil: null })
    }
    for (const of of await listUntoldEnds(tx, { now: deps.now(), limit: sweepLimit })) {
      await deps.jobs.enqueue(tx, 'notifications.refresh', of, { key: of.id })
    }
  })
}
