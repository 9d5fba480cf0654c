import { limits, may, type Role } from '@signalbox/contract'
import type {
  ChangeEffect,
  ChangeRequest,
  ChangeRequestSummary,
  RequestConflict,
} from '@signalbox/contract/rest'
import type { Actor } from '../../http/admission/actor.ts'
import { mayDo } from '../../identity/roles.ts'
import { readRules } from '../../config-model/constraints/check-rules.ts'
import type { Caller } from '../../config-model/caller.ts'
import type { WholeRequest } from './read-standing.ts'
import {
  countApprovals,
  findCounting,
  isFreeNow,
  mayOverride,
  mayReview,
  stateOf,
  writeVerbOf,
  type Conflict,
  type KeptEffect,
  type KeptSide,
} from './request.ts'

/** Describes who looks at a request. */
export interface Viewer {
  readonly caller: Caller
  readonly actor: Actor
  readonly role: Role | undefined
}

/** Renders a request as lists show it. */
export function presentSummary(whole: WholeRequest): ChangeRequestSummary {
  const { request } = whole
  const { id, number, title, reason, revision, author, kind, overridden } = request
  return {
    id,
    number,
    title,
    reason,
    state: stateOf(whole),
    revision,
    author,
    kind,
    environments: countApprovals(whole),
    keys: listKeys(whole),
    applyAt: request.applyAt?.toISOString() ?? null,
    ...(overridden !== null && {
      overriddenBy: { ...overridden, acknowledgedBy: request.acknowledgedBy },
    }),
    ...(request.failure !== null && { failure: request.failure }),
    ...(request.appliedVersions !== null && { appliedVersions: request.appliedVersions }),
    createdAt: request.createdAt.toISOString(),
    updatedAt: request.updatedAt.toISOString(),
    expiresAt: request.expiresAt.toISOString(),
  }
}

function listKeys({ effects }: Pick<WholeRequest, 'effects'>): ChangeRequestSummary['keys'] {
  return effects
    .flatMap(({ environmentId, schemaId, key }) =>
      schemaId === null || key === null ? [] : [{ environmentId, schemaId, key }],
    )
    .slice(0, limits.requestKeysListed)
}

/** Renders a request for somebody. */
export function presentRequest(whole: WholeRequest, viewer: Viewer): ChangeRequest {
  const { request, revision } = whole
  const counting = findCounting(whole)
  const { caller } = viewer
  return {
    ...presentSummary(whole),
    operation: revision.operation,
    omitted: [...revision.omitted],
    effects: revision.effects.map((effect) => presentEffect(effect, caller, whole)),
    reviews: whole.reviews.map((review) => ({
      member: { id: review.userId, name: review.name },
      verdict: review.verdict,
      text: review.text,
      revision: review.revision,
      counts: counting.has(review),
      at: review.createdAt.toISOString(),
    })),
    ...(request.conflict !== null && {
      conflict: request.conflict.map((conflict) => presentConflict(conflict, caller)),
    }),
    may: mayOf(whole, viewer),
    version: request.version,
  }
}

const applicable: ReadonlySet<string> = new Set(['approved', 'scheduled'])

function mayOf(whole: WholeRequest, viewer: Viewer): ChangeRequest['may'] {
  const { caller, actor, role } = viewer
  const { request, authorIds } = whole
  const isAuthor = caller.author.id !== null && authorIds.has(caller.author.id)
  const userId = actor.type === 'user' && actor.via === 'session' ? actor.userId : undefined
  const ended = { review: false, revise: false, apply: false, withdraw: false, override: false }
  if (request.state !== 'waiting')
    return { ...ended, ownRequest: isAuthor, acknowledge: mayAcknowledge(request, userId) }
  const state = stateOf(whole)
  const writes = !caller.isAgent && mayWrite(whole, caller)
  const isMet = state === 'approved' || request.conflict !== null
  return {
    review: userId !== undefined && mayReview(whole, userId),
    ownRequest: isAuthor,
    revise: writes,
    apply: writes && applicable.has(state),
    withdraw: isAuthor || mayDo(role, 'admin'),
    override: userId !== undefined && !isMet && mayOverride(whole, role),
    acknowledge: false,
  }
}

function mayAcknowledge(
  { overridden, acknowledgedBy }: WholeRequest['request'],
  userId: string | undefined,
): boolean {
  const isUnseen = overridden !== null && acknowledgedBy === null
  return isUnseen && userId !== undefined && overridden.member.id !== userId
}

function mayWrite({ effects }: WholeRequest, { permissions }: Caller): boolean {
  return effects.every(({ environmentId, schemaId, before }) =>
    may(permissions, writeVerbOf({ schemaId, before }), {
      environmentId,
      ...(schemaId !== null && { schemaId }),
    }),
  )
}

/** Renders an effect. Marks of secrets go to those alone who may read the secrets there. */
export function presentEffect(
  effect: KeptEffect,
  caller: Caller,
  { policies }: Pick<WholeRequest, 'policies'>,
): ChangeEffect {
  const { before, after, segments, lenient: _lenient, ...rest } = effect
  const { environmentId, schemaId } = effect
  const reads = may(caller.permissions, 'readSecrets', {
    environmentId,
    ...(schemaId !== null && { schemaId }),
  })
  // Where a signal reads is nothing for those who only look.
  const knows = may(caller.permissions, 'writeValues', { environmentId })
  return {
    ...rest,
    before: presentSide(before, reads, knows),
    after: presentSide(after, reads, knows),
    ...(segments !== undefined && { segments: [...segments] }),
    ...(isFreeNow(policies, effect) && { free: true as const }),
  }
}

/** Renders a conflict. Without a caller: as an error shows it, without marks. */
export function presentConflict(
  { then, now, environmentId, schemaId, ...place }: Conflict,
  caller?: Caller,
): RequestConflict {
  const reach = { environmentId, ...(schemaId !== null && { schemaId }) }
  const reads = caller !== undefined && may(caller.permissions, 'readSecrets', reach)
  const knows = caller !== undefined && may(caller.permissions, 'writeValues', { environmentId })
  // oxlint-disable-next-line unicorn/no-thenable -- a name of the contract, and nothing that is awaited
  const sides = { then: presentSide(then, reads, knows), now: presentSide(now, reads, knows) }
  return { ...place, environmentId, schemaId, ...sides }
}

function presentSide(
  side: KeptSide | null,
  reads: boolean,
  knows: boolean,
): ChangeEffect['before'] {
  if (side === null) return null
  const { mark, rules, segmentsDigest: _digest, signal, ...open } = side
  return {
    ...open,
    ...(signal !== undefined && { signal: knows ? signal : { ...signal, spec: null } }),
    ...(rules !== undefined && { rules: readRules(rules) }),
    ...(mark !== undefined && { secret: true as const, ...(reads && { mark }) }),
  }
}
