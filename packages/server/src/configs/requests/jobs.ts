import { z } from 'zod'
import { systemAuthor } from '../../audit/audit-event.ts'
import { findMemberIds } from '../../identity/members/approvers.ts'
import { lowPriority, type Jobs } from '../../jobs/jobs.ts'
import type { QueueDefinition } from '../../jobs/queue.ts'
import { applyRequest, failRequest } from './apply-request.ts'
import { asService } from './as-service.ts'
import { Problem } from '@signalbox/contract'
import { readRequest, type WholeRequest } from './read-standing.ts'
import type { RequestDeps } from './request-deps.ts'
import { recordRequestEvent } from './request-events.ts'
import { findRequestRow, listExpiredRows, moveRequestRow } from './request-rows.ts'
import type { Tx } from '../../store/store.ts'
import { countApprovals, stateOf } from './request.ts'

/** Lists the queues of requests. A try to apply one at its time is repeated while the time is not long over. */
export const requestQueues: readonly QueueDefinition[] = [
  { name: 'configs.applyRequest', retries: 8, retryDelaySeconds: 5, retryDelayMaxSeconds: 120 },
  { name: 'configs.expireRequests', retries: 0 },
]

const scheduled = z.object({
  orgId: z.string(),
  id: z.string(),
  revision: z.number(),
  fence: z.number(),
})

/** Starts the workers that apply requests at their time, and end those that nobody decided about. */
export async function workRequests(jobs: Jobs, deps: RequestDeps): Promise<void> {
  await jobs.work('configs.applyRequest', ({ data }) => applyScheduled(deps, scheduled.parse(data)))
  await jobs.work('configs.expireRequests', () => expireRequests(deps), lowPriority)
}

const lateMs = 15 * 60_000

/** Applies a request whose time has come, unless its schedule or its revision is another one by now. */
async function applyScheduled(
  deps: RequestDeps,
  { orgId, id, revision, fence }: z.output<typeof scheduled>,
): Promise<void> {
  const due = await deps.store.transaction({ orgId }, async (tx) => {
    const row = await findRequestRow(tx, orgId, { ref: id })
    if (row === undefined || row.state !== 'waiting' || row.applyAt === null) return undefined
    if (row.revision !== revision || row.fence !== fence) return undefined
    const caller = asService(row, orgId)
    const whole = await readRequest(tx, caller, { ref: id })
    return { caller, at: row.applyAt, whole, hasAuthorLeft: await hasAuthorLeft(tx, orgId, whole) }
  })
  if (due === undefined) return
  const { caller, at, whole } = due
  if (deps.now().getTime() - at.getTime() > lateMs) {
    const detail =
      'The service did not run at that time. Nothing was applied. Make the request again.'
    await failRequest(deps, { ...caller, author: systemAuthor }, whole, {
      code: 'too_late',
      detail,
    })
  } else if (due.hasAuthorLeft) {
    const detail =
      'Its author is no longer a member, and nobody else has approved it. Nothing was applied. Make the request again.'
    await failRequest(deps, { ...caller, author: systemAuthor }, whole, {
      code: 'author_left',
      detail,
    })
  } else if (stateOf(whole) === 'scheduled') {
    const ground = { kind: 'scheduled', revision, fence } as const
    await applyRequest(deps, caller, { ref: id, ground }).catch(async (error: unknown) => {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      if (error.code === 'conflict' || error.code === 'approval_required') return
      await failRequest(deps, { ...caller, author: systemAuthor }, whole, {
        code: error.code,
        detail: error.message,
      })
    })
  } else await unschedule(deps, orgId, { id, fence })
}

/** Returns whether the people who wrote a request have all left, where it needs nobody else. What others approved is theirs as well. */
async function hasAuthorLeft(tx: Tx, orgId: string, whole: WholeRequest): Promise<boolean> {
  if (countApprovals(whole).some(({ approvals }) => approvals.needed > 0)) return false
  const people = [...whole.authorIds].filter((id) => !id.startsWith('key_'))
  return people.length > 0 && (await findMemberIds(tx, orgId, people)).size === 0
}

/** Takes the time off a request that was not approved by then: somebody applies it once it is. */
async function unschedule(
  deps: RequestDeps,
  orgId: string,
  { id, fence }: { readonly id: string; readonly fence: number },
): Promise<void> {
  await deps.store.transaction({ orgId }, async (tx) => {
    const row = await findRequestRow(tx, orgId, { ref: id, lock: true })
    if (row?.state !== 'waiting' || row.fence !== fence) return
    await moveRequestRow(tx, orgId, { id, applyAt: null, now: deps.now() })
    const caller = { ...asService(row, orgId), author: systemAuthor }
    await recordRequestEvent(deps, tx, caller, {
      action: 'change.scheduled',
      request: row,
      detail: { applyAt: null, reason: 'not approved in time' },
    })
  })
}

const perPage = 100

/** Ends the requests that nobody has decided about in thirty days. */
async function expireRequests(deps: RequestDeps): Promise<void> {
  const expired = await deps.store.maintenance((tx) => listExpiredRows(tx, deps.now(), perPage))
  for (const { orgId, id } of expired) {
    await deps.store.transaction({ orgId }, async (tx) => {
      const row = await findRequestRow(tx, orgId, { ref: id, lock: true })
      if (row?.state !== 'waiting' || row.expiresAt > deps.now()) return
      await moveRequestRow(tx, orgId, { id, state: 'expired', now: deps.now() })
      const caller = { ...asService(row, orgId), author: systemAuthor }
      await recordRequestEvent(deps, tx, caller, { action: 'change.expired', request: row })
    })
  }
}
