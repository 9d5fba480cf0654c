import { Problem } from '@signalbox/contract'
import {
  listRequirements,
  type EnvironmentPolicies,
  type EnvironmentPolicy,
  type Requirement,
} from './confirmation.ts'
import type { Publication } from './plan-publication.ts'
import type { Effect } from './effects.ts'

/** Returns whether an effect needs no approval by the policy of its environment. */
export function isFree(
  { lenient }: Pick<Effect, 'lenient'>,
  { protection }: Pick<EnvironmentPolicy, 'protection'>,
): boolean {
  return lenient === 'default' || (lenient === 'off' && protection.killSwitches === 'free')
}

/** Returns the effects that need approvals, by environment. */
function findUnapproved(
  policies: EnvironmentPolicies,
  effects: readonly Effect[],
): ReadonlyMap<EnvironmentPolicy, readonly Effect[]> {
  const needing = effects.flatMap((effect) => {
    const policy = policies.get(effect.environmentId)
    if (policy === undefined || policy.protection.approvals === 0) return []
    return isFree(effect, policy) ? [] : [{ policy, effect }]
  })
  const groups = Map.groupBy(needing, ({ policy }) => policy)
  return new Map([...groups].map(([policy, group]) => [policy, group.map(({ effect }) => effect)]))
}

const reasonsMax = 100

/** Returns requirements with the approvals that the effects of a change need. Environments that need nothing else are added. */
function withApprovals(
  requirements: readonly Requirement[],
  policies: EnvironmentPolicies,
  effects: readonly Effect[],
): Requirement[] {
  const unapproved = findUnapproved(policies, effects)
  const known = new Map(requirements.map((each) => [each.environmentId, each]))
  for (const [{ id, name, protection }, group] of unapproved) {
    const { confirm = false, comment = false } = known.get(id) ?? {}
    const keys = new Set(group.flatMap(({ key }) => key ?? []))
    known.set(id, {
      environmentId: id,
      environment: name,
      confirm,
      comment,
      approvals: protection.approvals,
      reasons: [...keys].slice(0, reasonsMax),
    })
  }
  return [...known.values()]
}

/**
 * Refuses a change of which some effects need the approval of others.
 *
 * @throws {Problem} `approval_required` with `requires`
 */
export function requireNoApproval(policies: EnvironmentPolicies, effects: readonly Effect[]): void {
  const requires = withApprovals([], policies, effects)
  if (requires.length === 0) return
  const needs = requires.map(({ environment, approvals }) => `${environment} needs ${approvals}`)
  const detail = `Other people must approve this change: ${needs.join(', ')}. Ask for it with the body in "request" at /change-requests, or repeat with the header "Prefer: respond-async".`
  throw new Problem('approval_required', detail, { extensions: { requires } })
}

/**
 * Returns the environments whose clients read something else afterwards. Before a first version nobody has read
 * anything.
 */
export function changedEnvironments({ versions }: Pick<Publication, 'versions'>): string[] {
  return versions.filter(({ version }) => version > 1).map(({ environmentId }) => environmentId)
}

/** Returns what a publication needs for the environments that readers see change, whether or not the request meets it. */
export function listNeeds(
  policies: EnvironmentPolicies,
  publication: Pick<Publication, 'versions' | 'effects'>,
): Requirement[] {
  const confirmed = listRequirements(policies, changedEnvironments(publication))
  return withApprovals(confirmed, policies, publication.effects)
}
