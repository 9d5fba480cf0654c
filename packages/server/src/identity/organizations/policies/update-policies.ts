import { isDeepStrictEqual } from 'node:util'
import { Problem } from '@signalbox/contract'
import { makerOf, toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Tx } from '../../../store/store.ts'
import type { Caller } from '../../caller.ts'
import { lockOrganization } from '../rows.ts'
import type { FindEffectsDeps } from './find-effects.ts'
import type { Policies, StoredPolicies } from './policies.ts'
import { findPolicies, isFactorHeld, savePolicies } from './rows.ts'

/** Names the organization whose policies are changed, and the caller. */
export interface OfPolicies {
  readonly orgId: string
  readonly orgName: string
  readonly caller: Caller
}

export interface UpdatePolicies extends OfPolicies {
  readonly policies: Omit<Policies, 'sessionsValidFrom'>
  readonly dryRun: boolean
}

/**
 * Replaces the policies of an organization. Each request of a member reads them with the membership, so they count on every node
 * from the next request; open streams are checked at once.
 *
 * @throws {Problem} `second_factor_off` for an owner who would keep themselves out; `not_found`
 */
export async function updatePolicies(
  { store, now }: FindEffectsDeps,
  { policies, dryRun, ...of }: UpdatePolicies,
): Promise<StoredPolicies> {
  const { orgId, caller } = of
  if (policies.secondFactorRequired) {
    const userId = caller.actor.type === 'user' ? caller.actor.userId : undefined
    if (!(await store.maintenance((tx) => isFactorHeld(tx, orgId, userId)))) throw ownFactorOff()
  }
  return store.transaction(caller.scope, async (tx) => {
    const before = await lockPolicies(tx, orgId)
    const next = { ...before, ...policies }
    if (dryRun) return next
    return changePolicies(tx, of, { before, next, now: now() })
  })
}

/** Ends every session of a member for this organization: it reaches it again once it was confirmed. */
export async function endMemberSessions(
  { store, now }: Pick<FindEffectsDeps, 'store' | 'now'>,
  of: OfPolicies,
): Promise<void> {
  await store.transaction(of.caller.scope, async (tx) => {
    const before = await lockPolicies(tx, of.orgId)
    const moment = now()
    await changePolicies(tx, of, {
      before,
      next: { ...before, sessionsValidFrom: moment },
      now: moment,
    })
  })
}

async function lockPolicies(tx: Tx, orgId: string): Promise<StoredPolicies> {
  const isThere = await lockOrganization(tx, orgId)
  const policies = isThere ? await findPolicies(tx, orgId) : undefined
  if (policies === undefined) throw notFound()
  return policies
}

interface Change {
  readonly before: StoredPolicies
  readonly next: StoredPolicies
  readonly now: Date
}

async function changePolicies(
  tx: Tx,
  { orgId, orgName, caller: { actor, request } }: OfPolicies,
  { before, next, now }: Change,
): Promise<StoredPolicies> {
  const changed = namesOfChanged(before, next)
  if (changed.length === 0) return before
  const by = { changedAt: now, changedBy: makerOf({ author: toAuthor(actor), request }) }
  await savePolicies(tx, { ...next, orgId }, by)
  tx.announce('credentials')
  recordAuditEvent(tx, {
    orgId,
    actor: toAuthor(actor),
    action: changed.includes('sessionsValidFrom') ? 'policies.sessions_ended' : 'policies.updated',
    target: { type: 'organization', id: orgId, name: orgName },
    detail: { before: pick(before, changed), after: pick(next, changed) },
    request,
  })
  return { ...next, ...by }
}

const names = [
  'secondFactorRequired',
  'tokenDays',
  'sessionIdleMinutes',
  'sessionsValidFrom',
  'assistantRule',
  'assistantHosts',
  'ownTokensListed',
] as const satisfies readonly (keyof Policies)[]

function namesOfChanged(before: Policies, next: Policies): (keyof Policies)[] {
  return names.filter((name) => !isDeepStrictEqual(before[name], next[name]))
}

function pick(policies: Policies, some: readonly (keyof Policies)[]): Record<string, unknown> {
  return Object.fromEntries(
    some.map((name) => {
      const value = policies[name]
      return [name, value instanceof Date ? value.toISOString() : value]
    }),
  )
}

function ownFactorOff(): Problem {
  const detail =
    'You would keep yourself out: your second factor is off. Turn it on in the dashboard, under Your account, and save again.'
  return new Problem('second_factor_off', detail, {
    errors: [{ pointer: '/secondFactorRequired', code: 'second_factor_off', detail }],
  })
}
