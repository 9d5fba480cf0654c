import { readRequests } from '../configs/requests/read-standing.ts'
import { listUnseenRows, listWaitingRows } from '../configs/requests/request-rows.ts'
import { waitsFor, type RequestRow } from '../configs/requests/request.ts'
import { cutText } from '../providers/chat/plain-text.ts'
import type { Tx } from '../store/store.ts'
import { next, type AttentionItem } from './dashboard-steps.ts'

type NamedRequest = Pick<RequestRow, 'id' | 'number' | 'title' | 'createdAt'>
type OverriddenRequest = Pick<RequestRow, 'id' | 'number' | 'title' | 'overridden'>

/** Holds the change requests that need somebody. */
export interface AttentionRequests {
  /** Lists those that wait for a review of the reader, newest first. */
  readonly waiting: readonly NamedRequest[]
  /** Lists those that were applied without their approvals, and that nobody else has acknowledged. */
  readonly overridden: readonly OverriddenRequest[]
}

/** Finds the change requests that need a reader. A reader who is no member reviews none. */
export async function findAttentionRequests(
  tx: Tx,
  orgId: string,
  userId: string | undefined,
): Promise<AttentionRequests> {
  const [rows, overridden] = await Promise.all([
    userId === undefined ? [] : listWaitingRows(tx, orgId),
    listUnseenRows(tx, orgId),
  ])
  const requests = await readRequests(tx, orgId, rows)
  const waiting = requests.filter((whole) => userId !== undefined && waitsFor(whole, userId))
  return { waiting: waiting.map(({ request }) => request), overridden }
}

const titleMax = 100

/** Lists one item for all requests that wait for the reader, and one for each that was applied without its approvals. */
export function attentionOfRequests({ waiting, overridden }: AttentionRequests): AttentionItem[] {
  return [...ofWaiting(waiting), ...overridden.flatMap(ofOverridden)]
}

function ofWaiting(waiting: AttentionRequests['waiting']): AttentionItem[] {
  const [newest, ...others] = waiting
  if (newest === undefined) return []
  const isOne = others.length === 0
  const named = `Request ${newest.number}: ${cutText(newest.title, titleMax)}`
  return [
    {
      severity: 'warning',
      code: 'change_waiting',
      subjectId: isOne ? newest.id : null,
      title: isOne
        ? '1 request waits for your review'
        : `${waiting.length} requests wait for your review`,
      detail: isOne ? named : `The newest is ${named[0]?.toLowerCase()}${named.slice(1)}`,
      at: newest.createdAt.toISOString(),
      next: isOne ? next('Review', pageOf(newest)) : next('Review', { page: 'requests' }),
    },
  ]
}

function ofOverridden(request: OverriddenRequest): AttentionItem[] {
  const { id, number, title, overridden } = request
  if (overridden === null) return []
  return [
    {
      severity: 'warning',
      code: 'change_overridden',
      subjectId: id,
      title: `${overridden.member.name} applied request ${number} without its approvals`,
      detail: `${cutText(title, titleMax)}. Reason: ${cutText(overridden.comment, 300)}. It stays here until another member acknowledges it.`,
      at: overridden.at,
      next: next('Look at it', pageOf(request)),
    },
  ]
}

function pageOf({ number }: { readonly number: number }) {
  return { page: 'request', params: { requestId: String(number) } } as const
}
