import type { CodehostRepository } from '../../providers/codehosts/repository.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a tracked repository, and the moment up to which its deployments have been asked for. */
export interface PolledRepository extends CodehostRepository {
  readonly id: string
  readonly readUntil: Date | null
}

/** Lists the tracked repositories, those that were asked for least recently first. */
export async function listPolledRepositories(tx: Tx, orgId: string): Promise<PolledRepository[]> {
  return tx.query<PolledRepository>({
    name: 'list-polled-repositories',
    text: `select id, external_id as "externalId", full_name as "fullName", coalesce(default_branch, '') as "defaultBranch",
        coalesce(url, '') as url, deployments_read_until as "readUntil"
      from repositories where org_id = $1 and external_id is not null and tracked and removed_at is null
      order by deployments_read_until nulls first, id`,
    values: [orgId],
  })
}

/** Records up to when the deployments of a repository have been asked for. */
export async function savePolledUntil(
  tx: Tx,
  orgId: string,
  { id, readUntil }: { readonly id: string; readonly readUntil: Date },
): Promise<void> {
  await tx.query({
    name: 'save-polled-until',
    text: `update repositories set deployments_read_until = $3 where org_id = $1 and id = $2`,
    values: [orgId, id, readUntil],
  })
}
