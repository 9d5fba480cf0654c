import { setTimeout as delay } from 'node:timers/promises'
import { endedStates } from '@signalbox/contract'
import { CliError } from '../../terminal/cli-error.ts'
import type { Api } from '../api.ts'
import type { ChangeRequest } from '../operations.ts'
import { ApiError } from '../problem-error.ts'

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

const firstPauseMs = 500
const longestPauseMs = 15_000
/** Ends a wait for a server that has been unreachable for so long. */
const patienceMs = 10 * 60_000

const ends: ReadonlySet<string> = new Set([...endedStates, 'declined'])

/**
 * Waits until a request ends, or until the deadline, and returns it as it is then. Applies it once it is approved, unless it has
 * a time at which it does so itself.
 *
 * @throws {CliError} `conflict` where somebody has changed the same keys, so that people must look at it again
 */
export async function waitForRequest(awaited: AwaitedRequest): Promise<ChangeRequest> {
  const { api, orgId, deadline } = awaited
  const input = { params: { org_id: orgId, request_id: awaited.request.id } }
  let { request } = awaited
  let etag: string | undefined
  let reachedAt = Date.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    if (request.state === 'approved' && request.applyAt === null) {
      request = await applyApproved(awaited, request)
    }
    const leftMs = deadline - Date.now()
    if (ends.has(request.state) || leftMs <= 0) return request
    await delay(Math.min(pauseMs, leftMs))
    try {
      const reread = await api.callAgain('getChangeRequest', input, etag)
      request = reread.body ?? request
      etag = reread.etag
      reachedAt = Date.now()
    } catch (error) {
      const isAway = error instanceof CliError && error.reason === 'unreachable'
      if (!isAway || Date.now() - reachedAt > patienceMs) throw error
    }
  }
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
