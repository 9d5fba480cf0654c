import type { Tx } from '../../store/store.ts'

/** Describes an environment of the host, and which of ours it is. */
export interface MappedEnvironment {
  readonly name: string
  readonly environmentId: string | null
  readonly mappedBy: 'rule' | 'guess' | 'none'
  readonly ignored: boolean
}

export async function listHostEnvironments(
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<MappedEnvironment[]> {
  return tx.query<MappedEnvironment>({
    name: 'list-host-environments',
    text: `select name, environment_id as "environmentId", mapped_by as "mappedBy", ignored from host_environments
      where org_id = $1 and repository_id = $2`,
    values: [orgId, repositoryId],
  })
}

/** Writes other mappings of environments that are known. */
export async function writeMappings(
  tx: Tx,
  orgId: string,
  of: {
    readonly repositoryId: string
    readonly environments: readonly MappedEnvironment[]
    readonly now: Date
  },
): Promise<void> {
  const { environments } = of
  await tx.query({
    name: 'write-environment-mappings',
    text: `update host_environments h set environment_id = m.environment_id, mapped_by = m.mapped_by,
        ignored = m.ignored, updated_at = $3
      from unnest($4::text[], $5::text[], $6::text[], $7::boolean[]) as m (name, environment_id, mapped_by, ignored)
      where h.org_id = $1 and h.repository_id = $2 and h.name_key = lower(m.name)`,
    values: [
      orgId,
      of.repositoryId,
      of.now,
      environments.map(({ name }) => name),
      environments.map(({ environmentId }) => environmentId),
      environments.map(({ mappedBy }) => mappedBy),
      environments.map(({ ignored }) => ignored),
    ],
  })
}

/** Moves deployments of a repository to what their host environments are mapped to. Returns how many it were. */
export async function moveDeployments(
  tx: Tx,
  orgId: string,
  { repositoryId, limit }: { readonly repositoryId: string; readonly limit: number },
): Promise<number> {
  const rows = await tx.query({
    name: 'move-deployments',
    text: `update deployments d set environment_id = m.environment_id, revision = d.revision + 1
      from (select d.id, h.environment_id from deployments d
        join host_environments h on h.org_id = d.org_id and h.repository_id = d.repository_id
          and h.name_key = d.host_key
        where d.org_id = $1 and d.repository_id = $2 and d.environment_id is distinct from h.environment_id
        limit $3) m
      where d.org_id = $1 and d.id = m.id returning d.id`,
    values: [orgId, repositoryId, limit],
  })
  return rows.length
}
