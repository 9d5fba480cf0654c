import { limits, Problem, type GrantRole } from '@signalbox/contract'
import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '../../../audit/audit-event.ts'
import { makerOf, toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import { requireVersion } from '../../../http/admission/preconditions.ts'
import { requireKnownIds } from '../../../http/input/known-ids.ts'
import type { Store, Tx } from '../../../store/store.ts'
import type { Caller } from '../../caller.ts'
import { lookUpWithin, nameWithin, type FindWithin } from '../../config-directory.ts'
import { deleteInvitationsOfLesser } from '../../invitations/rows.ts'
import { holdMembers, requireAdmin } from '../hold-members.ts'
import { findSubject, requireReachOfKey, type NamedSubject } from './find-subject.ts'
import type { Grant, Within } from './grant.ts'
import {
  countGrants,
  deleteGrantRow,
  findGrant,
  insertGrant,
  isGrantHeld,
  updateGrantRow,
} from './rows.ts'

export interface GrantDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly configs: FindWithin
  readonly now: () => Date
}

interface OfOrganization {
  readonly orgId: string
  readonly caller: Caller
}

export interface CreateGrant extends OfOrganization, Within, NamedSubject {
  readonly role: GrantRole
}

/**
 * Gives a member, a group or a server key a role in some environments and schemas. It counts from the next request on, on every node.
 *
 * @throws {Problem} `validation_failed`, `already_exists`, `quota_exceeded`
 */
export async function createGrant(
  { store, configs, now }: GrantDeps,
  { orgId, caller, userId, groupId, keyId, role, ...within }: CreateGrant,
): Promise<Grant> {
  const { actor, scope, request } = caller
  return store.transaction(scope, async (tx) => {
    requireAdmin(await holdMembers(tx, orgId, actor))
    await requireQuota(tx, orgId)
    const subject = await findSubject(tx, orgId, { userId, groupId, keyId })
    requireKnownIds(...(await lookUpWithin(tx, { configs, orgId }, nameWithin(within))))
    await requireReachOfKey(tx, orgId, subject, within)
    const createdAt = now()
    const grant: Grant = {
      id: newId('gra', createdAt),
      subject,
      role,
      environmentIds: unique(within.environmentIds),
      schemaIds: unique(within.schemaIds),
      createdAt,
      createdBy: makerOf({ author: toAuthor(actor), request }),
      revision: 1,
    }
    await requireOther(tx, orgId, grant)
    await insertGrant(tx, orgId, grant)
    recordGrant(tx, { orgId, caller }, { action: 'grant.created', grant, detail: termsOf(grant) })
    return grant
  })
}

export interface UpdateGrant extends OfOrganization, Within {
  readonly grantId: string
  readonly role?: GrantRole | undefined
  readonly ifMatch: number | undefined
}

/**
 * Changes the role of a grant, or where it applies; `null` stands for everywhere. What is left out stays.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `already_exists`, `revision_mismatch`
 */
export async function updateGrant(
  { store, configs }: GrantDeps,
  { orgId, caller, grantId, ifMatch, ...change }: UpdateGrant,
): Promise<Grant> {
  return store.transaction(caller.scope, async (tx) => {
    const grant = await holdGrant(tx, { orgId, caller }, grantId)
    requireVersion(grant.revision, ifMatch)
    requireKnownIds(...(await lookUpWithin(tx, { configs, orgId }, nameWithin(change))))
    await requireReachOfKey(tx, orgId, grant.subject, change)
    const { role = grant.role, environmentIds, schemaIds } = change
    const updated: Grant = {
      ...grant,
      role,
      environmentIds: environmentIds === undefined ? grant.environmentIds : unique(environmentIds),
      schemaIds: schemaIds === undefined ? grant.schemaIds : unique(schemaIds),
      revision: grant.revision + 1,
    }
    if (isDeepStrictEqual(termsOf(grant), termsOf(updated))) return grant
    await requireOther(tx, orgId, updated)
    await updateGrantRow(tx, orgId, updated)
    const invitationsEnded = await deleteInvitationsOfLesser(tx, orgId)
    const detail = { from: termsOf(grant), to: termsOf(updated), invitationsEnded }
    recordGrant(tx, { orgId, caller }, { action: 'grant.updated', grant, detail })
    return updated
  })
}

/** Ends a grant. @throws {Problem} `not_found` */
export async function deleteGrant(
  { store }: Pick<GrantDeps, 'store'>,
  { orgId, caller, grantId }: OfOrganization & { readonly grantId: string },
): Promise<void> {
  await store.transaction(caller.scope, async (tx) => {
    const grant = await holdGrant(tx, { orgId, caller }, grantId)
    await deleteGrantRow(tx, orgId, grantId)
    const invitationsEnded = await deleteInvitationsOfLesser(tx, orgId)
    const detail = { ...termsOf(grant), invitationsEnded }
    recordGrant(tx, { orgId, caller }, { action: 'grant.deleted', grant, detail })
  })
}

async function holdGrant(
  tx: Tx,
  { orgId, caller }: OfOrganization,
  grantId: string,
): Promise<Grant> {
  requireAdmin(await holdMembers(tx, orgId, caller.actor))
  const grant = await findGrant(tx, orgId, grantId)
  if (grant === undefined) throw notFound()
  return grant
}

/** Refuses a grant that says the same as another one. @throws {Problem} `already_exists` */
async function requireOther(tx: Tx, orgId: string, grant: Grant): Promise<void> {
  if (!(await isGrantHeld(tx, orgId, grant))) return
  const detail = `${grant.subject.name} has this grant already. Choose another role, or other environments or schemas.`
  const errors = [{ pointer: '/role', code: 'already_exists' as const, detail }]
  throw new Problem('already_exists', detail, { errors })
}

function unique(ids: readonly string[] | null | undefined): readonly string[] | null {
  return ids === null || ids === undefined ? null : [...new Set(ids)].toSorted()
}

function termsOf({ role, environmentIds, schemaIds }: Grant) {
  return { role, environmentIds, schemaIds }
}

function recordGrant(
  tx: Tx,
  { orgId, caller: { actor, request } }: OfOrganization,
  {
    action,
    grant,
    detail,
  }: {
    readonly action: AuditAction
    readonly grant: Grant
    readonly detail: Readonly<Record<string, unknown>>
  },
): void {
  tx.announce('credentials')
  recordAuditEvent(tx, {
    orgId,
    actor: toAuthor(actor),
    action,
    target: { type: 'grant', id: grant.id, name: grant.subject.name },
    detail: { subject: grant.subject.type, ...detail },
    request,
  })
}

async function requireQuota(tx: Tx, orgId: string): Promise<void> {
  if ((await countGrants(tx, orgId)) < limits.grantsPerOrganization) return
  const detail = `An organization has at most ${limits.grantsPerOrganization} grants. Give groups grants instead of people, and delete those that you don’t use.`
  throw new Problem('quota_exceeded', detail)
}
