import type { Tx } from '../store/store.ts'
import type { ConfigDeps } from './config-deps.ts'
import type { Publication } from './plan-publication.ts'
import { storePublication } from './publication-rows.ts'
import { listWatchedEnvironments } from './watched-rows.ts'

/** What is published, and where versions are told of; left out: looked up. */
interface Publish {
  readonly publication: Publication
  readonly watched?: ReadonlySet<string>
}

/** Stores a publication, and says which versions it wrote in the environments that somebody watches. */
export async function publish(
  { emit }: Pick<ConfigDeps, 'emit'>,
  tx: Tx,
  orgId: string,
  { publication, watched: known }: Publish,
): Promise<void> {
  storePublication(tx, orgId, publication)
  const { versions } = publication
  if (versions.length === 0) return
  const watched = known ?? (await listWatchedEnvironments(tx, orgId))
  for (const { id, environmentId } of versions) {
    if (watched.has(environmentId)) await emit(tx, 'configuration.changed', { orgId, id })
  }
}
