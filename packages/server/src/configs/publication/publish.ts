import type { Tx } from '../../store/store.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { requireConsent, type Consent } from '../environments/consent.ts'
import type { Publication } from './plan-publication.ts'
import { listEnvironmentPolicies, type EnvironmentPolicies } from '../environments/policy-rows.ts'
import { storePublication } from './publication-rows.ts'

export interface Publish {
  readonly publication: Publication
  /** What the request brings along for protected environments. */
  readonly consent: Consent
  /** Environments that are changed in another way than by what is published. */
  readonly alsoChanged?: readonly string[]
  /** Left out: looked up. */
  readonly policies?: EnvironmentPolicies
}

/**
 * Stores a publication, and says which versions it wrote in the environments that somebody watches. Whatever changes what
 * clients read comes through here, so here is asked for the consent that environments want.
 *
 * @throws {Problem} `confirmation_required`, `comment_required`
 */
export async function publish(
  { emit }: Pick<ConfigDeps, 'emit'>,
  tx: Tx,
  orgId: string,
  { publication, consent, alsoChanged = [], policies: known }: Publish,
): Promise<void> {
  const policies = known ?? (await listEnvironmentPolicies(tx, orgId))
  requireConsent(policies, [...alsoChanged, ...changedEnvironments(publication)], consent)
  storePublication(tx, orgId, publication)
  for (const { id, environmentId } of publication.versions) {
    const isWatched = policies.get(environmentId)?.isWatched ?? false
    if (isWatched) await emit(tx, 'configuration.changed', { orgId, id })
  }
}

/** Environments in which clients read otherwise afterwards. Of a first version nobody has read anything before. */
export function changedEnvironments({ versions }: Publication): string[] {
  return versions.filter(({ version }) => version > 1).map(({ environmentId }) => environmentId)
}
