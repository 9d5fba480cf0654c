import {
  listVerbs,
  verbs,
  type ApiKeyKind,
  type Grant,
  type Permission,
  type Role,
  type Verb,
} from '@signalbox/contract'
import type { Actor, ApiKeyActor } from './actor.ts'

const readVerbs: ReadonlySet<Verb> = new Set(['readValues', 'readSecrets'])

/** Lists what API keys may do by their kind. A relay key reaches no endpoint of an organization. */
const verbsOfKind: Readonly<Record<ApiKeyKind, readonly Verb[]>> = {
  m2m: verbs.filter((verb) => verb !== 'manageAccess'),
  b2m: ['readValues'],
  rly: [],
}

const everywhere = { environmentIds: null, schemaIds: null } as const

/** Leaves out what an assistant does for nobody: it sees no secret, deletes nothing and manages no access. */
const agentVerbs: ReadonlySet<Verb> = new Set([
  'readValues',
  'writeValues',
  'writeSchemas',
  'manageEnvironments',
])

/**
 * Returns what an actor may do in an organization. A member has the verbs of their role everywhere, and those of each grant
 * where it applies; a server key has those of its access, and those of its grants.
 */
export function permissionsOf(
  actor: Actor,
  role: Role | undefined,
  grants: readonly Grant[] = [],
): readonly Permission[] {
  if (actor.type === 'bootstrap') return [{ verbs, ...everywhere }]
  if (actor.type === 'api_key') return permissionsOfKey(actor, grants)
  const own = role === undefined ? [] : [{ verbs: listVerbs(role), ...everywhere }]
  const all = [...own, ...grants.map(toPermission)]
  if (actor.type === 'user') return all
  return all.map((each) => ({ ...each, verbs: each.verbs.filter((verb) => agentVerbs.has(verb)) }))
}

/** Describes what the permissions of an API key depend on. */
type PermittedKey = Pick<ApiKeyActor, 'kind' | 'access' | 'environmentIds' | 'schemaIds'>

/**
 * Returns what a key may do by its access, and then by each grant. A grant widens neither its environments and schemas nor what
 * its kind may do.
 */
export function permissionsOfKey(
  { kind, access, environmentIds, schemaIds }: PermittedKey,
  grants: readonly Grant[],
): readonly Permission[] {
  const allowed = new Set(verbsOfKind[kind])
  const own = [...allowed].filter((verb) => access === 'write' || readVerbs.has(verb))
  return [
    { verbs: own, environmentIds, schemaIds },
    ...grants.map(toPermission).map((granted) => ({
      verbs: granted.verbs.filter((verb) => allowed.has(verb)),
      environmentIds: narrow(granted.environmentIds, environmentIds),
      schemaIds: narrow(granted.schemaIds, schemaIds),
    })),
  ]
}

/** Returns what is in both lists. `null` stands for everything. */
function narrow(ids: readonly string[] | null, allowed: readonly string[] | null) {
  if (ids === null || allowed === null) return ids ?? allowed
  return ids.filter((id) => allowed.includes(id))
}

function toPermission({ role, environmentIds, schemaIds }: Grant): Permission {
  return { verbs: listVerbs(role), environmentIds, schemaIds }
}
