import { Problem } from '@signalbox/contract'
import type { Caller } from '../../config-model/caller.ts'
import { readRequest, requireWriter, type WholeRequest } from './read-standing.ts'
import type { RequestDeps } from './request-deps.ts'
import { recordRequestEvent } from './request-events.ts'
import { moveRequestRow } from './request-rows.ts'
import { scheduleRequest } from './schedule-request.ts'
import { readTime, requireWaiting } from './write-request.ts'

/** Names a request, and says whether the caller may end those of others. */
interface OwnRequest {
  readonly ref: string
  readonly isAdmin: boolean
}

/**
 * Withdraws a request that waits.
 *
 * @throws {Problem} `role_forbidden` for others than its authors and admins, `conflict` once it has ended
 */
export async function withdrawRequest(
  deps: RequestDeps,
  caller: Caller,
  of: OwnRequest,
): Promise<WholeRequest> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const { request, authorIds } = await readRequest(tx, caller, { ref: of.ref, lock: true })
    requireOwn(caller, of, authorIds)
    requireWaiting(request, deps.now())
    await moveRequestRow(tx, orgId, { id: request.id, state: 'withdrawn', now: deps.now() })
    await recordRequestEvent(deps, tx, caller, { action: 'change.withdrawn', request })
    return readRequest(tx, caller, { ref: request.id })
  })
}

/**
 * Sets the time at which a request applies itself, or removes it.
 *
 * @throws {Problem} `validation_failed`, and as `withdrawRequest`
 */
export async function rescheduleRequest(
  deps: RequestDeps,
  caller: Caller,
  { applyAt, ...of }: OwnRequest & { readonly applyAt: string | null },
): Promise<WholeRequest> {
  const now = deps.now()
  const at = readTime(applyAt, now)
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const whole = await readRequest(tx, caller, { ref: of.ref, lock: true })
    const { request } = whole
    requireOwn(caller, of, whole.authorIds)
    requireWaiting(request, deps.now())
    // At its time it is applied by nobody's rights.
    if (at !== null) requireWriter(caller, whole)
    await moveRequestRow(tx, orgId, { id: request.id, applyAt: at, now })
    const moved = await readRequest(tx, caller, { ref: request.id })
    await scheduleRequest(deps, tx, orgId, moved.request)
    await recordRequestEvent(deps, tx, caller, {
      action: 'change.scheduled',
      request,
      detail: { applyAt: at?.toISOString() ?? null },
    })
    return moved
  })
}

/**
 * Notes that somebody has seen a request that was applied without its approvals.
 *
 * @throws {Problem} `own_request` for the person who did it, `conflict` where there is nothing to acknowledge
 */
export async function acknowledgeRequest(
  deps: RequestDeps,
  caller: Caller,
  ref: string,
): Promise<WholeRequest> {
  const { orgId, author } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const { request } = await readRequest(tx, caller, { ref, lock: true })
    if (request.overridden === null || request.acknowledgedBy !== null) {
      throw new Problem('conflict', 'There is nothing to acknowledge.')
    }
    if (request.overridden.member.id === author.id) {
      throw new Problem('own_request', 'Somebody else must acknowledge what you have applied.')
    }
    await moveRequestRow(tx, orgId, { id: request.id, acknowledgedBy: author, now: deps.now() })
    await recordRequestEvent(deps, tx, caller, { action: 'change.acknowledged', request })
    return readRequest(tx, caller, { ref: request.id })
  })
}

function requireOwn(
  { author }: Caller,
  { isAdmin }: OwnRequest,
  authorIds: ReadonlySet<string>,
): void {
  if (isAdmin || (author.id !== null && authorIds.has(author.id))) return
  const detail = 'Only the authors of the request and admins may do this.'
  throw new Problem('role_forbidden', detail)
}
