import type { endedStates, RequestState, Verb } from '@signalbox/contract'
import type {
  ChangeRequestSummary,
  EnvironmentProtection,
  OperationKind,
  ReviewVerdict,
} from '@signalbox/contract/rest'
import type { Author } from '../../audit/audit-event.ts'
import { isFree } from '../../config-model/approvals.ts'
import type { EffectSide, Effect } from '../../config-model/effects.ts'

/** Describes what readers get, as a request keeps it: a secret by its mark, which is the same for equal values of one request. */
export interface KeptSide extends Omit<EffectSide, 'secret'> {
  readonly mark?: string
}

/** Describes an effect as a request keeps it. */
export interface KeptEffect extends Omit<Effect, 'before' | 'after'> {
  readonly before: KeptSide | null
  readonly after: KeptSide | null
}

/** Describes where somebody else has changed what reviewers saw. */
export interface Conflict extends Pick<
  KeptEffect,
  'environmentId' | 'environment' | 'schemaId' | 'key'
> {
  readonly then: KeptSide | null
  readonly now: KeptSide | null
  readonly by: Author | null
  /** ISO 8601. */
  readonly at: string | null
}

/** Describes a request as it is stored. */
export interface RequestRow {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly reason: string
  /** `waiting`: what readers are shown follows from the reviews and the members of the moment. */
  readonly state: 'waiting' | (typeof endedStates)[number]
  readonly kind: OperationKind
  readonly revision: number
  readonly version: number
  readonly author: ChangeRequestSummary['author']
  /** The user or the API key. `null`: the bootstrap token. */
  readonly authorId: string | null
  readonly environmentIds: readonly string[]
  readonly applyAt: Date | null
  readonly fence: number
  readonly conflict: readonly Conflict[] | null
  readonly failure: { readonly code: string; readonly detail: string } | null
  readonly appliedVersions: NonNullable<ChangeRequestSummary['appliedVersions']> | null
  readonly overridden: {
    readonly member: Author
    readonly comment: string
    readonly at: string
  } | null
  readonly acknowledgedBy: Author | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date
}

/** Describes a revision of a request: what it does, and what its reviewers see. */
export interface RevisionRow {
  readonly revision: number
  readonly operation: Readonly<Record<string, unknown>>
  readonly omitted: readonly string[]
  readonly effects: readonly KeptEffect[]
}

/** Describes a review as it is stored. */
export interface ReviewRow {
  readonly userId: string
  readonly name: string
  readonly verdict: ReviewVerdict
  readonly text: string
  readonly revision: number
  readonly createdAt: Date
}

/** Holds an environment as far as approvals depend on it. */
export interface PolicyOf {
  readonly id: string
  readonly name: string
  readonly protection: EnvironmentProtection
}

/** Holds what the state of a request follows from. */
export interface Standing {
  readonly request: RequestRow
  readonly effects: readonly KeptEffect[]
  readonly reviews: readonly ReviewRow[]
  /** Everybody who has written a revision. */
  readonly authorIds: ReadonlySet<string>
  readonly policies: ReadonlyMap<string, PolicyOf>
  /** The members who may approve, by environment. */
  readonly approvers: ReadonlyMap<string, ReadonlySet<string>>
}

/** Describes what an environment has of the approvals that it needs. */
interface Needed {
  readonly environmentId: string
  readonly name: string
  readonly approvals: { readonly needed: number; readonly given: number }
}

/** Returns what somebody must be allowed to do, to ask for an effect and to apply it. */
export function writeVerbOf({ schemaId, before }: Pick<KeptEffect, 'schemaId' | 'before'>): Verb {
  if (schemaId !== null) return 'writeValues'
  return before?.signal === undefined ? 'manageEnvironments' : 'manageAccess'
}

/** Returns whether an effect needs no approval by the policies of now, which may be others than when the request was made. */
export function isFreeNow(policies: Standing['policies'], effect: KeptEffect): boolean {
  const policy = policies.get(effect.environmentId)
  return policy !== undefined && isFree(effect, policy)
}

/** Returns the environments of a request, each with its approvals. Those that need some come first. */
export function countApprovals(standing: Standing): Needed[] {
  const { effects, policies } = standing
  const approving = [...findVerdicts(standing)].filter(([, verdict]) => verdict === 'approve')
  const names = new Map(
    effects.map(({ environmentId, environment }) => [environmentId, environment]),
  )
  const needing = new Set(
    effects.flatMap((effect) => (isFreeNow(policies, effect) ? [] : effect.environmentId)),
  )
  return [...names]
    .map(([environmentId, then]) => {
      const policy = policies.get(environmentId)
      const needed = needing.has(environmentId) ? (policy?.protection.approvals ?? 0) : 0
      const given = approving.filter(([id]) => mayApprove(standing, id, environmentId)).length
      return { environmentId, name: policy?.name ?? then, approvals: { needed, given } }
    })
    .toSorted((one, other) => other.approvals.needed - one.approvals.needed)
}

/** Returns what each reviewer of the newest revision has said last. A comment takes a decline back, and leaves an approval. */
function findVerdicts({ request, reviews }: Standing): ReadonlyMap<string, ReviewVerdict> {
  const verdicts = new Map<string, ReviewVerdict>()
  for (const { userId, verdict, revision } of reviews) {
    if (revision !== request.revision) continue
    const last = verdicts.get(userId)
    verdicts.set(userId, verdict === 'comment' && last === 'approve' ? last : verdict)
  }
  return verdicts
}

/** Returns whether a member may approve in an environment. Who has written a revision never may. */
function mayApprove(
  { authorIds, approvers }: Standing,
  userId: string,
  environmentId: string,
): boolean {
  return !authorIds.has(userId) && approvers.get(environmentId)?.has(userId) === true
}

/** Returns whether a member may review a request: it needs approvals of an environment in which they approve. */
export function mayReview(standing: Standing, userId: string): boolean {
  return countApprovals(standing).some(
    ({ environmentId, approvals }) =>
      approvals.needed > 0 && mayApprove(standing, userId, environmentId),
  )
}

/** Returns whether somebody may review who is no author, by what environments ask. */
export function isApprover({ approvers }: Standing, userId: string): boolean {
  return [...approvers.values()].some((ids) => ids.has(userId))
}

/** Returns whether a review counts now: it is its reviewer's last word on this revision, and they may still approve. */
export function findCounting(standing: Standing): ReadonlySet<ReviewRow> {
  const verdicts = findVerdicts(standing)
  const counting = new Map<string, ReviewRow>()
  for (const review of standing.reviews) {
    const { userId, verdict, revision } = review
    if (revision !== standing.request.revision || verdict === 'comment') continue
    if (verdicts.get(userId) === verdict && mayReview(standing, userId))
      counting.set(userId, review)
  }
  return new Set(counting.values())
}

/** Returns the state that people see. */
export function stateOf(standing: Standing): RequestState {
  const { request, policies, effects } = standing
  if (request.state !== 'waiting') return request.state
  const blocking = effects.some(
    ({ environmentId }) => policies.get(environmentId)?.protection.declineBlocks ?? true,
  )
  const declines = [...findCounting(standing)].some(({ verdict }) => verdict === 'decline')
  if (blocking && declines) return 'declined'
  if (request.conflict !== null || isShort(standing)) return 'open'
  return request.applyAt === null ? 'approved' : 'scheduled'
}

function isShort(standing: Standing): boolean {
  return countApprovals(standing).some(({ approvals }) => approvals.given < approvals.needed)
}

/** Returns the people who have to decide, and who have not approved yet. */
export function waitsFor(standing: Standing, userId: string): boolean {
  const verdict = findVerdicts(standing).get(userId)
  return verdict !== 'approve' && verdict !== 'decline' && mayReview(standing, userId)
}

const overriders = { admin: ['admin', 'owner'], owner: ['owner'], nobody: [] } as const

/** Returns whether a member with this role may apply a request without its approvals, by each environment that needs some. */
export function mayOverride(standing: Standing, role: string | undefined): boolean {
  const needing = countApprovals(standing).filter(({ approvals }) => approvals.needed > 0)
  return needing.every(({ environmentId }) => {
    const policy = standing.policies.get(environmentId)
    const allowed: readonly string[] = overriders[policy?.protection.override ?? 'nobody']
    return role !== undefined && allowed.includes(role)
  })
}
