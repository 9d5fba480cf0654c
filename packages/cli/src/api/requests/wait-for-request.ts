import { endedStates } from '@signalbox/contract'
import type { Api } from '../api.ts'
import type { ChangeRequest } from '../operations.ts'
import { ApiError } from '../problem-error.ts'
import { rereadUntil } from '../reread-until.ts'

/** Describes the request that is awaited. */
interface AwaitedRequest {
  readonly api: Pick<Api, 'callAgain' | 'callPlainly'>
  readonly orgId: string
  readonly request: ChangeRequest
  /** Holds the moment in milliseconds after which nobody waits any more. */
  readonly deadline: number
  /** Says what happens meanwhile. */
  readonly note: (line: string) => void
}

const ends: ReadonlySet<string> = new Set([...endedStates, 'declined'])

/**
 * Waits until a request ends, or until the deadline, and returns it as it is then. Applies it once it is approved, unless it has
 * a time at which it does so itself.
 *
 * @throws {CliError} `conflict` where somebody has changed the same keys, so that people must look at it again
 */
export async function waitForRequest(awaited: AwaitedRequest): Promise<ChangeRequest> {
  const { api, orgId, request, deadline } = awaited
  const input = { params: { org_id: orgId, request_id: request.id } }
  return rereadUntil({
    first: request,
    reread: (etag) => api.callAgain('getChangeRequest', input, etag),
    deadline,
    isEnded: ({ state }) => ends.has(state),
    advance: (now) =>
      now.state === 'approved' && now.applyAt === null
        ? applyApproved(awaited, now)
        : Promise.resolve(now),
  })
}

/** Applies an approved request. Where it is no longer approved, or somebody else has applied it, returns it as it is. */
async function applyApproved(
  { api, orgId, note }: AwaitedRequest,
  { id, number }: ChangeRequest,
): Promise<ChangeRequest> {
  const params = { org_id: orgId, request_id: id }
  note(`Request ${number} is approved. Applying it.`)
  try {
    return await api.callPlainly('applyChangeRequest', { params })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    const now = await api.callPlainly('getChangeRequest', { params })
    // An approval may have stopped counting. A conflict takes a person, unless somebody else has applied the request.
    if (error.code === 'approval_required' || ends.has(now.state)) return now
    throw error
  }
}
