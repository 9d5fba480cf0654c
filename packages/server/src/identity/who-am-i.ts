import { identityEndpoints } from '@signalbox/contract/rest'
import type { Actor } from '../http/actor.ts'
import type { Router } from '../http/router.ts'
import type { Store } from '../store/store.ts'
import { listOrganizations } from './organizations/list-organizations.ts'
import { presentOrganization } from './organizations/present-organization.ts'
import { readSecondFactorState, type SecondFactorState } from './second-factor/rows.ts'

/** More organizations than this are found through the list. */
const organizationsShown = 100

/** Mounts `GET /me`. */
export function mountWhoAmI(
  router: Router,
  deps: { readonly store: Pick<Store, 'transaction' | 'maintenance'> },
): void {
  router.add(identityEndpoints.whoAmI, {
    handle: async ({ actor }) => ({
      organizations: await listOrganizations(deps, actor, {
        afterId: undefined,
        limit: organizationsShown,
      }),
      secondFactor: await findSecondFactorState(deps, actor),
    }),
    present: ({ organizations, secondFactor }, { actor }) => ({
      ...presentActor(actor),
      secondFactor,
      organizations: organizations.map((each) => ({
        ...presentOrganization(each),
        role: each.role,
      })),
    }),
  })
}

async function findSecondFactorState(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  actor: Actor,
): Promise<SecondFactorState | null> {
  if (actor.type !== 'user') return null
  const { userId } = actor
  return store.transaction({ orgId: null, userId }, (tx) => readSecondFactorState(tx, userId))
}

function presentActor(actor: Actor) {
  const nothing = { email: null, keyKind: null, environmentIds: null, schemaIds: null }
  if (actor.type === 'user') {
    const { userId: id, name, email } = actor
    return { ...nothing, type: 'user' as const, id, name, email }
  }
  if (actor.type === 'bootstrap') {
    return { ...nothing, type: 'bootstrap' as const, id: null, name: 'Bootstrap token' }
  }
  const { keyId: id, name, kind: keyKind, environmentIds, schemaIds } = actor
  return {
    ...nothing,
    type: 'api_key' as const,
    id,
    name,
    keyKind,
    environmentIds: environmentIds && [...environmentIds],
    schemaIds: schemaIds && [...schemaIds],
  }
}
