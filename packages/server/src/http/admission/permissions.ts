import {
  listVerbs,
  verbs,
  type Grant,
  type Permission,
  type Role,
  type Verb,
} from '@signalbox/contract'
import type { Actor } from './actor.ts'

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
 * where it applies. A key has the verbs of its kind within its restrictions; whether it writes is refused before.
 */
export function permissionsOf(
  actor: Actor,
  role: Role | undefined,
  grants: readonly Grant[] = [],
): readonly Permission[] {
  if (actor.type === 'bootstrap') return [{ verbs, ...everywhere }]
  if (actor.type === 'api_key') {
    const { environmentIds, schemaIds } = actor
    return [{ verbs: listKeyVerbs(actor.kind), environmentIds, schemaIds }]
  }
  const own = role === undefined ? [] : [{ verbs: listVerbs(role), ...everywhere }]
  const granted = grants.map(({ role: grantRole, environmentIds, schemaIds }) => ({
    verbs: listVerbs(grantRole),
    environmentIds,
    schemaIds,
  }))
  const all = [...own, ...granted]
  if (actor.type === 'user') return all
  return all.map((each) => ({ ...each, verbs: each.verbs.filter((verb) => agentVerbs.has(verb)) }))
}

/** Returns the verbs of a kind of API key. A relay key reaches no endpoint of an organization. */
export function listKeyVerbs(kind: 'b2m' | 'm2m' | 'rly'): readonly Verb[] {
  if (kind === 'm2m') return verbs.filter((verb) => verb !== 'manageAccess')
  return kind === 'b2m' ? ['readValues'] : []
}
