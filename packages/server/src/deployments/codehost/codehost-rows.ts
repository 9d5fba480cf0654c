import type { Tx } from '../../store/store.ts'

/** Describes a repository as people choose it. */
export interface ShownRepository {
  /** The provider's number. */
  readonly externalId: string
  readonly fullName: string
  readonly defaultBranch: string
  readonly url: string
  readonly tracked: boolean
}

const repositoriesShown = 5000
const environmentsShown = 1000

/** Lists the repositories that the host shows us, by their names. */
export async function listShownRepositories(tx: Tx, orgId: string): Promise<ShownRepository[]> {
  return tx.query<ShownRepository>({
    name: 'list-shown-repositories',
    text: `select external_id as "externalId", full_name as "fullName", default_branch as "defaultBranch",
        coalesce(url, '') as url, tracked from repositories
      where org_id = $1 and external_id is not null and removed_at is null
      order by lower(full_name), id limit ${repositoriesShown}`,
    values: [orgId],
  })
}

/** Describes an environment of the host as people see it. */
export interface ShownHostEnvironment {
  /** The provider's number. */
  readonly repositoryId: string
  readonly name: string
  readonly environmentId: string | null
  readonly mappedBy: 'rule' | 'guess' | 'none'
  readonly ignored: boolean
}

/** Lists the environments of these repositories that are there, those that people keep before those that come and go. */
export async function listShownEnvironments(
  tx: Tx,
  orgId: string,
): Promise<ShownHostEnvironment[]> {
  return tx.query<ShownHostEnvironment>({
    name: 'list-shown-host-environments',
    text: `select r.external_id as "repositoryId", h.name, h.environment_id as "environmentId", h.mapped_by as "mappedBy",
        h.ignored
      from host_environments h join repositories r on r.org_id = h.org_id and r.id = h.repository_id
      where h.org_id = $1 and h.removed_at is null and r.removed_at is null and r.external_id is not null
      order by h.transient, lower(r.full_name), h.name_key limit ${environmentsShown}`,
    values: [orgId],
  })
}

/** Tracks repositories or not, by the provider's numbers; returns those that are tracked from now on. */
export async function trackRepositories(
  tx: Tx,
  orgId: string,
  choices: readonly { readonly id: string; readonly tracked: boolean }[],
): Promise<string[]> {
  const rows = await tx.query<{ readonly externalId: string; readonly tracked: boolean }>({
    name: 'track-repositories',
    text: `update repositories r set tracked = c.tracked from unnest($2::text[], $3::boolean[]) as c (id, tracked)
      where r.org_id = $1 and r.external_id = c.id and r.tracked <> c.tracked
      returning r.external_id as "externalId", r.tracked`,
    values: [orgId, choices.map(({ id }) => id), choices.map(({ tracked }) => tracked)],
  })
  return rows.filter(({ tracked }) => tracked).map(({ externalId }) => externalId)
}
