import type { Grant, Role } from '@signalbox/contract'
import type { Actor, AgentActor } from '../../http/admission/actor.ts'
import type { Store } from '../../store/store.ts'
import { listGrantsOfKey } from '../members/grants/rows.ts'
import type { MemberPolicies } from './policies/policies.ts'
import {
  findOrganization,
  listMemberships,
  listOrganizationRows,
  type OrganizationRow,
  type PageAfter,
} from './rows.ts'

/** Describes an organization with the actor's role in it. */
export interface ReachableOrganization extends OrganizationRow {
  /** `null` for API keys, which have no role. */
  readonly role: Role | null
  /** Lists what else a person or a key is granted. */
  readonly grants?: readonly Grant[]
  /** Holds what the organization requires of a person. Absent for others. */
  readonly policies?: MemberPolicies
}

/** Lists the organizations that `actor` reaches: a person's memberships, the one of a key, all of them for the bootstrap token. */
export async function listOrganizations(
  { store }: { readonly store: Pick<Store, 'transaction' | 'maintenance'> },
  actor: Exclude<Actor, AgentActor>,
  page: PageAfter,
): Promise<readonly ReachableOrganization[]> {
  if (actor.type === 'user') {
    const scope = { orgId: null, userId: actor.userId }
    const memberships = await store.transaction(scope, (tx) =>
      listMemberships(tx, actor.userId, page),
    )
    return memberships.map((each) => ({ ...each, policies: each }))
  }
  if (actor.type === 'api_key') {
    const { orgId, keyId } = actor
    return store.transaction({ orgId }, async (tx) => {
      const own = await findOrganization(tx, orgId)
      if (own === undefined || own.id <= (page.afterId ?? '')) return []
      return [{ ...own, role: null, grants: await listGrantsOfKey(tx, orgId, keyId) }]
    })
  }
  const all = await store.maintenance((tx) => listOrganizationRows(tx, page))
  return all.map(({ id, slug, name, createdAt }) => ({ id, slug, name, createdAt, role: 'owner' }))
}
