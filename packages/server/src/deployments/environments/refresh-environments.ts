import type { Store, Tx } from '../../store/store.ts'
import {
  listHostEnvironments,
  moveDeployments,
  writeMappings,
  type MappedEnvironment,
} from './mapping-rows.ts'
import { readMapping } from './read-mapping.ts'
import { findRepositoryAfter, lockRepository } from '../codehost/repository-rows.ts'

/** Names the queue that maps the environments of the host again, after the rules or our own environments have changed. */
export const refreshEnvironmentsQueue = 'deployments.refreshEnvironments'

const deploymentsAtOnce = 1000

/**
 * Maps the environments of the host, and the deployments recorded there, by the present rules and environments. It
 * takes one repository after the other and some deployments at a time, under the lock that recording takes, so that a
 * deployment recorded in the meantime is either found here or was recorded by the new rules. Safe to repeat.
 */
export async function refreshEnvironments(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { orgId }: { readonly orgId: string },
): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) {
    const last: string = after
    after = await store.transaction({ orgId }, (tx) => findRepositoryAfter(tx, orgId, last))
    if (after !== undefined) await refreshRepository(store, { orgId, repositoryId: after, now })
  }
}

async function refreshRepository(
  store: Pick<Store, 'transaction'>,
  of: { readonly orgId: string; readonly repositoryId: string; readonly now: () => Date },
): Promise<void> {
  const { orgId, repositoryId, now } = of
  let moved = deploymentsAtOnce
  while (moved === deploymentsAtOnce) {
    moved = await store.transaction({ orgId }, async (tx) => {
      await remap(tx, { orgId, repositoryId, now: now() })
      return moveDeployments(tx, orgId, { repositoryId, limit: deploymentsAtOnce })
    })
  }
}

async function remap(
  tx: Tx,
  of: { readonly orgId: string; readonly repositoryId: string; readonly now: Date },
): Promise<void> {
  const { orgId, repositoryId, now } = of
  const repository = await lockRepository(tx, orgId, repositoryId)
  if (repository === undefined) return
  const map = await readMapping(tx, orgId)
  const environments = await listHostEnvironments(tx, orgId, repositoryId)
  const changed = environments.flatMap((environment): MappedEnvironment[] => {
    const { environmentId, mappedBy, ignored } = map(environment.name, repository.externalId)
    const isSame =
      environment.environmentId === environmentId &&
      environment.mappedBy === mappedBy &&
      environment.ignored === ignored
    return isSame ? [] : [{ name: environment.name, environmentId, mappedBy, ignored }]
  })
  if (changed.length > 0)
    await writeMappings(tx, orgId, { repositoryId, environments: changed, now })
}
