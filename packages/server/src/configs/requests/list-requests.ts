import { endedStates } from '@signalbox/contract'
import type { QueryOf } from '@signalbox/contract/rest'
import type { changeRequestEndpoints } from '@signalbox/contract/rest'
import type { Tx } from '../../store/store.ts'
import type { RequestDeps } from './request-deps.ts'
import { isReached, readRequests, type WholeRequest } from './read-standing.ts'
import { listWaitingRows, pageRequestRows } from './request-rows.ts'
import type { Viewer } from './present-request.ts'
import { stateOf, waitsFor } from './request.ts'

type Query = Omit<QueryOf<typeof changeRequestEndpoints.listChangeRequests>, 'limit' | 'cursor'>

/**
 * Lists requests, newest first. Whether one that waits is open or approved follows from the members and policies of the moment, so
 * those that wait, which are few, are read together and chosen in memory.
 */
export async function listRequests(
  { store }: Pick<RequestDeps, 'store'>,
  { caller, actor }: Viewer,
  {
    query,
    before,
    limit,
  }: { readonly query: Query; readonly before: number | undefined; readonly limit: number },
): Promise<WholeRequest[]> {
  const { state, environment, mine } = query
  const userId = actor.type === 'api_key' || actor.type === 'bootstrap' ? '' : actor.userId
  const authorId = mine === 'author' ? (caller.author.id ?? '') : query.author
  return store.transaction(caller.scope, async (tx) => {
    const final = endedStates.find((each) => each === state)
    if (final === undefined && (state !== undefined || mine === 'reviews')) {
      const waiting = await readWaiting(tx, caller.orgId)
      return waiting
        .filter((whole) => isReached(caller, whole))
        .filter(({ request }) => before === undefined || request.number < before)
        .filter(
          ({ request }) =>
            environment === undefined || request.environmentIds.includes(environment),
        )
        .filter(({ request }) => authorId === undefined || request.authorId === authorId)
        .filter((whole) => state === undefined || state === 'waiting' || stateOf(whole) === state)
        .filter((whole) => mine !== 'reviews' || waitsFor(whole, userId))
        .slice(0, limit + 1)
    }
    const page = { limit: limit + 1, state: final, environmentId: environment, authorId }
    const listed: WholeRequest[] = []
    let from = before
    // A page that a key does not reach is not the end of the list.
    for (;;) {
      const rows = await pageRequestRows(tx, caller.orgId, { ...page, before: from })
      const read = await readRequests(tx, caller.orgId, rows)
      listed.push(...read.filter((whole) => isReached(caller, whole)))
      if (listed.length > limit || rows.length <= limit) return listed.slice(0, limit + 1)
      from = rows.at(-1)?.number
    }
  })
}

/** Reads the requests of an organization that wait. */
async function readWaiting(tx: Tx, orgId: string): Promise<WholeRequest[]> {
  return readRequests(tx, orgId, await listWaitingRows(tx, orgId))
}
