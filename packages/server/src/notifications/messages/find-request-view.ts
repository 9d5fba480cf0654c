import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import { readRequests, type WholeRequest } from '../../configs/requests/read-standing.ts'
import { findRequestRow } from '../../configs/requests/request-rows.ts'
import { countApprovals, findCounting, stateOf } from '../../configs/requests/request.ts'
import type { RequestView } from '../../read-models/notifications/notice-views.ts'
import { listProofViews } from '../../read-models/notifications/proof-views.ts'
import type { Tx } from '../../store/store.ts'

/** Finds all that messages say of a change request. Of a key they say its name alone. */
export async function findRequestView(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<RequestView | undefined> {
  const row = await findRequestRow(tx, orgId, { ref: id })
  if (row === undefined) return undefined
  const [whole] = await readRequests(tx, orgId, [row])
  if (whole === undefined) return undefined
  const environments = await listEnvironmentRows(tx, orgId)
  const production = new Set(environments.flatMap((each) => (each.production ? each.id : [])))
  const decisions = [...listDecisions(whole)]
  const { number, title, reason, author, applyAt, conflict, failure, overridden } = row
  return {
    number,
    title,
    reason,
    state: stateOf(whole),
    who: author.name,
    keys: namesOf(whole.effects),
    environments: countApprovals(whole).map(({ environmentId, name, approvals }) => ({
      id: environmentId,
      name,
      isProduction: production.has(environmentId),
      approvals,
    })),
    approvedBy: decisions.flatMap(({ verdict, name }) => (verdict === 'approve' ? name : [])),
    declines: decisions.flatMap(({ verdict, name, text }) =>
      verdict === 'decline' ? { who: name, text } : [],
    ),
    applyAt,
    conflict: conflict && namesOf(conflict),
    failure: failure?.code ?? null,
    overridden: overridden && {
      who: overridden.member.name,
      comment: overridden.comment,
      acknowledgedBy: row.acknowledgedBy?.name ?? null,
    },
    proofs: await listProofViews(tx, orgId, { requestId: id }),
  }
}

/** Lists the reviews that count. Once the request has ended, those of its last revision: members and policies go on to change. */
function listDecisions(whole: WholeRequest): Iterable<WholeRequest['reviews'][number]> {
  const { request, reviews } = whole
  if (request.state === 'waiting') return findCounting(whole)
  const last = reviews.filter(
    ({ revision, verdict }) => revision === request.revision && verdict !== 'comment',
  )
  return new Map(last.map((review) => [review.userId, review])).values()
}

function namesOf(effects: readonly { readonly key: string | null }[]): string[] {
  return [...new Set(effects.flatMap(({ key }) => key ?? []))]
}
