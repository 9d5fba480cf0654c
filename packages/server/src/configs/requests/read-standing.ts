import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { listApprovers, listKeyMakers } from '../../identity/members/approvers.ts'
import { reaches, requireReach, type Caller } from '../../config-model/caller.ts'
import { listEnvironmentRows } from '../environments/environment-rows.ts'
import {
  findRequestRow,
  listReviewRows,
  listRevisionAuthors,
  listRevisionRows,
} from './request-rows.ts'
import {
  writeVerbOf,
  type KeptEffect,
  type RequestRow,
  type RevisionRow,
  type Standing,
} from './request.ts'

/** Holds a request with its newest revision, and what its state follows from. */
export interface WholeRequest extends Standing {
  readonly revision: RevisionRow
}

/** Reads what the states of requests follow from: their newest revisions, the reviews, and the policies and members of now. */
export async function readRequests(
  tx: Tx,
  orgId: string,
  rows: readonly RequestRow[],
): Promise<WholeRequest[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [revisions, authors, reviews, environments] = await Promise.all([
    listRevisionRows(tx, orgId, ids),
    listRevisionAuthors(tx, orgId, ids),
    listReviewRows(tx, orgId, ids),
    listEnvironmentRows(tx, orgId),
  ])
  const allIds = authors.flatMap(({ authorIds }) => authorIds)
  const makers = await listKeyMakers(tx, orgId, allIds)
  const protectedOnes = environments.filter(({ protection }) => protection.approvals > 0)
  const approving = await listApprovers(
    tx,
    orgId,
    protectedOnes.map(({ id, protection }) => ({ id, approvers: protection.approvers })),
  )
  const approvers = new Map(
    [...approving].map(([id, members]) => [id, new Set(members.map(({ userId }) => userId))]),
  )
  const policies = new Map(environments.map((environment) => [environment.id, environment]))
  return rows.map((request) => {
    const revision = revisions.find(({ requestId }) => requestId === request.id)
    if (revision === undefined) throw new Error('A request has no revision')
    const written = authors.find(({ requestId }) => requestId === request.id)
    return {
      request,
      revision,
      effects: revision.effects,
      reviews: reviews.filter(({ requestId }) => requestId === request.id),
      // The maker of a key may be its user, so what it writes is theirs as well.
      authorIds: new Set(written?.authorIds.flatMap((id) => [id, ...(makers.get(id) ?? [])])),
      policies,
      approvers,
    }
  })
}

/**
 * Reads a request by its id or number.
 *
 * @throws {Problem} `not_found`, also for a key that is not made for everything that the request reaches
 */
export async function readRequest(
  tx: Tx,
  caller: Caller,
  of: { readonly ref: string; readonly lock?: boolean },
): Promise<WholeRequest> {
  const row = await findRequestRow(tx, caller.orgId, of)
  if (row === undefined) throw notFound()
  const [request] = await readRequests(tx, caller.orgId, [row])
  if (request === undefined || !isReached(caller, request)) throw notFound()
  return request
}

/** Holds what a request changes, and where others have changed it. */
interface Reached extends Partial<Pick<Standing, 'request'>> {
  readonly effects: readonly Pick<KeptEffect, 'environmentId' | 'schemaId'>[]
}

/** Returns whether a key may know of a request: it is made for everything that the request reaches. People may. */
export function isReached(
  { environmentIds, schemaIds }: Pick<Caller, 'environmentIds' | 'schemaIds'>,
  { effects, request }: Reached,
): boolean {
  return [...effects, ...(request?.conflict ?? [])].every(
    ({ environmentId, schemaId }) =>
      reaches(environmentIds, environmentId) &&
      (schemaId === null ? schemaIds === null : reaches(schemaIds, schemaId)),
  )
}

/**
 * Refuses a caller who may not write where a request changes something.
 *
 * @throws {Problem} as `requireReach`
 */
export function requireWriter(caller: Caller, { effects }: Pick<Standing, 'effects'>): void {
  for (const effect of effects) {
    const { environmentId, schemaId } = effect
    const reach = { environmentId, ...(schemaId !== null && { schemaId }) }
    requireReach(caller, writeVerbOf(effect), reach)
  }
}
