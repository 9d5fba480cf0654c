import { accountEndpoints } from '@signalbox/contract/rest'
import type { Permission } from '@signalbox/contract'
import type { Actor, AgentActor } from '../http/admission/actor.ts'
import { permissionsOf } from '../http/admission/permissions.ts'
import type { Router } from '../http/router.ts'
import type { Store } from '../store/store.ts'
import {
  listOrganizations,
  type ReachableOrganization,
} from './organizations/list-organizations.ts'
import { presentOrganization } from './organizations/present-organization.ts'
import { findRejection, toCredential } from './organizations/policies/apply-policies.ts'
import { readSecondFactorState, type SecondFactorState } from './second-factor/rows.ts'
import { findOperator } from './setup/rows.ts'

const dayMs = 86_400_000

/** More organizations than this are found through the list. */
const organizationsShown = 100

/** Describes the dependencies of `whoAmI`. */
export interface WhoAmIDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  /** From where streams of events tell at least what is not in anything that is read from now on. */
  readonly livePosition: () => string
  /** Where applications read their configuration. Asked each time: with port 0 it is known only after the start. */
  readonly configUrl: () => string
  /** Says that only operators of this server create organizations. */
  readonly onlyOperatorsCreate: boolean
  /** Says for how long deployments are kept, in milliseconds. Undefined: for good. */
  readonly deploymentsKeptMs: number | undefined
}

/** Mounts `GET /me`. */
export function mountWhoAmI(router: Router, deps: WhoAmIDeps): void {
  router.add(accountEndpoints.whoAmI, {
    handle: async ({ actor }) => ({
      lastEventId: actor.type === 'api_key' ? null : deps.livePosition(),
      organizations: await listOrganizations(deps, actor, {
        afterId: undefined,
        limit: organizationsShown,
      }),
      standing: await readStanding(deps, actor),
    }),
    present: ({ organizations, standing, lastEventId }, { actor }) => ({
      ...presentActor(actor),
      ...standing,
      lastEventId,
      configUrl: deps.configUrl(),
      mayCreateOrganizations:
        actor.type !== 'api_key' && (standing.isOperator || !deps.onlyOperatorsCreate),
      deploymentsKeptDays: toDays(deps.deploymentsKeptMs),
      organizations: organizations.map((each) => ({
        ...presentOrganization(each),
        role: each.role,
        permissions: permissionsOf(actor, each.role ?? undefined, each.grants).map(
          presentPermission,
        ),
        ...presentPolicies(actor, each),
      })),
    }),
  })
}

function presentPermission({ verbs, environmentIds, schemaIds }: Permission) {
  return {
    verbs: [...verbs],
    environmentIds: environmentIds && [...environmentIds],
    schemaIds: schemaIds && [...schemaIds],
  }
}

/** Presents what an organization requires of the person who asks: why it keeps them out, and how long a token may work. */
function presentPolicies(actor: Actor, { policies }: ReachableOrganization) {
  const rejection =
    actor.type === 'user' && policies !== undefined
      ? findRejection(policies, toCredential(actor))
      : undefined
  return {
    rejection: rejection === undefined ? null : { code: rejection.code, detail: rejection.message },
    tokenDays: policies?.tokenDays ?? null,
  }
}

function toDays(ms: number | undefined): number | null {
  return ms === undefined ? null : ms / dayMs
}

/** Describes an actor beside any organization. */
interface Standing {
  readonly secondFactor: SecondFactorState | null
  readonly isOperator: boolean
}

async function readStanding(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  actor: Actor,
): Promise<Standing> {
  if (actor.type !== 'user') return { secondFactor: null, isOperator: actor.type === 'bootstrap' }
  const { userId } = actor
  return store.transaction({ orgId: null, userId }, async (tx) => ({
    secondFactor: await readSecondFactorState(tx, userId),
    isOperator: (await findOperator(tx, userId)) !== undefined,
  }))
}

function presentActor(actor: Exclude<Actor, AgentActor>) {
  const noKey = { keyKind: null, keyAccess: null, environmentIds: null, schemaIds: null }
  const nothing = { email: null, ...noKey }
  if (actor.type === 'user') {
    const { userId: id, name, email } = actor
    return { ...nothing, type: 'user' as const, id, name, email }
  }
  if (actor.type === 'bootstrap') {
    return { ...nothing, type: 'bootstrap' as const, id: null, name: 'Bootstrap token' }
  }
  const { keyId: id, name, kind: keyKind, access: keyAccess, environmentIds, schemaIds } = actor
  return {
    ...nothing,
    type: 'api_key' as const,
    id,
    name,
    keyKind,
    keyAccess,
    environmentIds: environmentIds && [...environmentIds],
    schemaIds: schemaIds && [...schemaIds],
  }
}
