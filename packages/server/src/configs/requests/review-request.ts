import { Problem } from '@signalbox/contract'
import type { ReviewVerdict } from '@signalbox/contract/rest'
import type { Actor } from '../../http/admission/actor.ts'
import type { Caller } from '../../config-model/caller.ts'
import { readRequest, type WholeRequest } from './read-standing.ts'
import type { RequestDeps } from './request-deps.ts'
import { recordRequestEvent } from './request-events.ts'
import { insertReviewRow, moveRequestRow } from './request-rows.ts'
import { isApprover } from './request.ts'
import { requireWaiting } from './write-request.ts'

const actions = {
  approve: 'change.approved',
  decline: 'change.declined',
  comment: 'change.commented',
} as const

/** Describes what somebody says of a request. */
export interface ReviewRequest {
  readonly ref: string
  /** The revision that the reviewer has seen. */
  readonly revision: number
  readonly verdict: ReviewVerdict
  readonly text?: string | undefined
}

/**
 * Stores what a reviewer says of a revision.
 *
 * @throws {Problem} `session_required` for whoever is not signed in, `own_request` for an author, `role_forbidden` for others who do
 * not approve, `revision_mismatch`, `conflict` once the request has ended
 */
export async function reviewRequest(
  deps: RequestDeps,
  caller: Caller,
  actor: Actor,
  { ref, revision, verdict, text = '' }: ReviewRequest,
): Promise<WholeRequest> {
  const reviewer = requireSession(actor, 'review a request')
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const whole = await readRequest(tx, caller, { ref, lock: true })
    const { request } = whole
    requireWaiting(request, deps.now())
    if (whole.authorIds.has(reviewer.userId)) throw ownRequest()
    if (!isApprover(whole, reviewer.userId)) throw noApprover()
    if (revision !== request.revision) throw otherRevision(request.revision)
    const now = deps.now()
    const { userId, name } = reviewer
    const review = { requestId: request.id, revision, userId, name, verdict, text, createdAt: now }
    await insertReviewRow(tx, orgId, review)
    await moveRequestRow(tx, orgId, { id: request.id, now })
    await recordRequestEvent(deps, tx, caller, {
      action: actions[verdict],
      request,
      detail: { revision },
    })
    return readRequest(tx, caller, { ref })
  })
}

/** Returns the person who is signed in. @throws {Problem} `session_required` */
export function requireSession(actor: Actor, what: string) {
  if (actor.type === 'user' && actor.via === 'session') return actor
  const detail = `Only a person who is signed in to the dashboard can ${what}.`
  throw new Problem('session_required', detail)
}

function ownRequest(): Problem {
  const detail = 'You have written this request, so somebody else must review it.'
  return new Problem('own_request', detail)
}

function noApprover(): Problem {
  const detail = 'You do not approve changes of these environments. Their page says who does.'
  return new Problem('role_forbidden', detail)
}

function otherRevision(revision: number): Problem {
  const detail = `The request is at revision ${revision} by now. Look at it again, then review.`
  return new Problem('revision_mismatch', detail)
}
