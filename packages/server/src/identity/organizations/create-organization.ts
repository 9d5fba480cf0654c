import { Problem } from '@signalbox/contract'
import { makerOf, toAuthor } from '../../audit/author.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import { newId } from '../../crypto/ids.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'
import type { Caller } from '../caller.ts'
import type { PublishChange } from '../publish-change.ts'
import { findOperator } from '../setup/rows.ts'
import { applyPolicies } from './policies/apply-policies.ts'
import {
  countOwnedOrganizations,
  insertMember,
  insertOrganization,
  type OrganizationRow,
} from './rows.ts'
import { isReservedSlug, toOtherSlug, toSlug } from './slug.ts'

export interface CreateOrganizationDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly dataKeys: Pick<OrganizationKeys, 'create'>
  readonly publish: PublishChange
  /** Limits what a person who is no operator owns. */
  readonly organizationsPerPerson: number
  /** Says that only operators of this server create organizations. */
  readonly onlyOperatorsCreate: boolean
  readonly now: () => Date
}

export interface CreateOrganization {
  readonly name: string
  /** Left out: made of the name, and another one when that is taken. */
  readonly slug?: string | undefined
  readonly caller: Caller
}

/**
 * Creates an organization with its first data key. The caller becomes its owner; the bootstrap token is
 * owner everywhere and no member.
 *
 * @throws {Problem} `already_exists` when the given slug is taken; `quota_exceeded` for a person who owns as many as allowed;
 * `role_forbidden` where only operators create organizations
 */
export async function createOrganization(
  { store, dataKeys, publish, now, ...limits }: CreateOrganizationDeps,
  { name, slug, caller }: CreateOrganization,
): Promise<OrganizationRow> {
  const { actor, scope, request } = caller
  const id = newId('org', now())
  const created = await store.transaction({ ...scope, orgId: id }, async (tx) => {
    if (actor.type === 'user') await requireMayCreate(tx, actor, limits)
    const organization = await addOrganization(tx, { id, name, slug, createdAt: now() })
    if (actor.type === 'user') {
      const grantedBy = makerOf({ author: toAuthor(actor), request })
      await insertMember(tx, { orgId: id, userId: actor.userId, role: 'owner', grantedBy }, now())
    }
    await dataKeys.create(tx, id)
    recordAuditEvent(tx, {
      orgId: id,
      actor: toAuthor(actor),
      action: 'org.created',
      target: { type: 'organization', id, name },
      request,
    })
    return organization
  })
  await publish()
  return created
}

async function requireMayCreate(
  tx: Tx,
  actor: UserActor,
  limits: Pick<CreateOrganizationDeps, 'organizationsPerPerson' | 'onlyOperatorsCreate'>,
): Promise<void> {
  const { organizationsPerPerson: limit, onlyOperatorsCreate } = limits
  if (!onlyOperatorsCreate && (await countOwnedOrganizations(tx, actor.userId)) < limit) return
  const operator = await findOperator(tx, actor.userId)
  if (operator !== undefined) {
    applyPolicies(actor, operator)
    return
  }
  if (onlyOperatorsCreate) throw operatorsCreate()
  const detail = `A person owns at most ${limit} organizations. Delete one that you don’t use, or ask an operator of this server.`
  throw new Problem('quota_exceeded', detail)
}

function operatorsCreate(): Problem {
  const detail =
    'Only an operator of this server creates organizations: an owner of its first organization, or the bootstrap token. Ask one of them to create it and to invite you.'
  return new Problem('role_forbidden', detail)
}

export interface AddOrganization {
  readonly id: string
  readonly name: string
  readonly slug?: string | undefined
  readonly createdAt: Date
}

/**
 * Adds the organization itself, under the given slug or under one that is free.
 *
 * @throws {Problem} `already_exists`
 */
export async function addOrganization(
  tx: Tx,
  { id, name, slug, createdAt }: AddOrganization,
): Promise<OrganizationRow> {
  const preferredSlug = slug ?? toSlug(name)
  const candidates =
    slug === undefined ? [preferredSlug, toOtherSlug(preferredSlug, id)] : [preferredSlug]
  for (const candidate of candidates.filter((one) => !isReservedSlug(one))) {
    const organization = { id, slug: candidate, name, createdAt }
    if (await insertOrganization(tx, organization)) return organization
  }
  throw isReservedSlug(preferredSlug) ? slugReserved() : slugTaken()
}

/** Returns the problem of a slug that begins another address of this server. */
export function slugReserved(): Problem {
  const detail = 'Pages of this server use this name. Choose another slug.'
  return new Problem('already_exists', detail, {
    errors: [{ pointer: '/slug', code: 'already_exists', detail }],
  })
}

/** Returns the problem of a slug that another organization has. */
export function slugTaken(cause?: unknown): Problem {
  const detail = 'Another organization has this slug. Choose another one.'
  return new Problem('already_exists', detail, {
    errors: [{ pointer: '/slug', code: 'already_exists', detail }],
    cause,
  })
}
