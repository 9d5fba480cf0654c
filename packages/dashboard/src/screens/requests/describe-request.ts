import type { AnswerOf } from '../../api/routes.ts'
import { isWaiting, type RequestSummary } from './states.ts'

/** Describes a request with its effects and reviews. */
export type ChangeRequest = AnswerOf<'GET /organizations/{org_id}/change-requests/{request_id}'>

/** Returns how many of the approvals of an environment are there. Example: `1 of 2 approvals`. */
export function describeApprovals({
  needed,
  given,
}: RequestSummary['environments'][number]['approvals']): string {
  return needed === 0
    ? 'no approval needed'
    : `${given} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}`
}

/** Returns which approvals are missing where. Example: `1 more approval in production`. */
function describeMissing({ environments }: Pick<RequestSummary, 'environments'>): string {
  const missing = environments.flatMap(({ name, approvals: { needed, given } }) => {
    const count = needed - given
    if (count <= 0) return []
    return [`${count} more ${count === 1 ? 'approval' : 'approvals'} in ${name}`]
  })
  return new Intl.ListFormat('en-GB').format(missing)
}

type Described = Pick<
  ChangeRequest,
  'state' | 'environments' | 'conflict' | 'reviews' | 'failure' | 'overriddenBy'
>

/** Returns what happens next with a request, or what has become of it, as one sentence. `at` is its time, as the page shows it. */
export function describeNext(request: Described, at: string | undefined): string {
  switch (request.state) {
    case 'open':
      return describeOpen(request, at)
    case 'approved':
      return 'It has its approvals. Nothing changes until somebody applies it.'
    case 'scheduled':
      return `It has its approvals, and applies itself at ${at ?? 'its time'}.`
    case 'declined':
      return `It waits until ${nameDecliners(request)} takes the decline back, or somebody changes the request.`
    case 'applied':
      return describeApplied(request)
    case 'withdrawn':
      return 'Nothing was changed.'
    case 'expired':
      return 'Nothing was changed, because it waited for too long. Ask again if the change is still needed.'
    case 'failed':
      return request.failure?.detail ?? 'Nothing was changed. Ask again if it is still needed.'
  }
}

function describeOpen(request: Described, at: string | undefined): string {
  if ((request.conflict ?? []).length > 0)
    return 'It waits because somebody changed the same values since.'
  const waits = `It waits for ${describeMissing(request)}.`
  return at === undefined ? waits : `${waits} If it has them by then, it applies itself at ${at}.`
}

function describeApplied({ overriddenBy }: Described): string {
  if (overriddenBy === undefined) return 'Its change is live.'
  const { member, comment } = overriddenBy
  return `Its change is live. ${member.name} applied it without its approvals: ${comment}`
}

function nameDecliners({ reviews }: Described): string {
  const names = reviews
    .filter(({ verdict, counts }) => verdict === 'decline' && counts)
    .map(({ member }) => member.name)
  return names.length === 0 ? 'a reviewer' : new Intl.ListFormat('en-GB').format(names)
}

/** Returns the reason why a person cannot review a request that waits. `undefined`: they can, or there is nothing to review. */
export function describeWhyNotReview(
  request: Pick<ChangeRequest, 'state' | 'may' | 'environments'>,
): string | undefined {
  const { may, environments } = request
  if (!isWaiting(request) || may.review) return undefined
  if (may.ownRequest) return 'You asked for this, so somebody else approves it.'
  const names = environments.map(({ name }) => name)
  return `You may not approve changes of ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)}. The policy of the environment says who may.`
}

const credentials: Readonly<Record<string, string>> = {
  personal_access_token: 'with a personal access token',
  agent: 'through an assistant',
  api_key: 'with an API key',
  bootstrap: 'at the set-up',
}

/** Returns what an author was signed in with, where that is not the dashboard. Example: `through an assistant`. */
export function describeVia(via: RequestSummary['author']['via']): string | undefined {
  return via === undefined ? undefined : credentials[via]
}
