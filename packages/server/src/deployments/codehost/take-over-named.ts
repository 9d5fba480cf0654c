import type { Tx } from '../../store/store.ts'
import type { HostDeploymentDeps, MovedDeployment } from '../deployment-deps.ts'

/**
 * Moves the deployments that pipelines reported under the present names of some repositories into those repositories, their
 * test runs too, and returns the deployments that are no longer live. A pipeline can report a new name before the code host does: the
 * repository exists twice until then.
 */
export async function takeOverNamed(
  { moveTestRuns }: Pick<HostDeploymentDeps, 'moveTestRuns'>,
  tx: Tx,
  orgId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const twins = await tx.query<{ readonly id: string; readonly intoId: string }>({
    name: 'lock-named-twins',
    text: `select n.id, r.id as "intoId" from repositories n
      cross join lateral (select h.id from repositories h
        where h.org_id = $1 and h.external_id = any ($2) and lower(h.full_name) = lower(n.full_name)
        order by h.named_at desc, h.id limit 1) r
      where n.org_id = $1 and n.external_id is null and lower(n.full_name) in (
        select lower(h.full_name) from repositories h where h.org_id = $1 and h.external_id = any ($2))
      order by n.id for update of n`,
    values: [orgId, externalIds],
  })
  if (twins.length === 0) return []
  const pairs = [orgId, twins.map(({ id }) => id), twins.map(({ intoId }) => intoId)]
  await tx.query({
    name: 'move-named-environments',
    text: `insert into host_environments
        (org_id, repository_id, name_key, name, environment_id, mapped_by, ignored, transient, removed_at, updated_at)
      select h.org_id, t.into_id, h.name_key, h.name, h.environment_id, h.mapped_by, h.ignored, h.transient,
        h.removed_at, h.updated_at
      from unnest($2::text[], $3::text[]) as t (id, into_id)
      join host_environments h on h.org_id = $1 and h.repository_id = t.id
      on conflict (org_id, repository_id, name_key) do nothing`,
    values: pairs,
  })
  // A pipeline may have reported one id under both names: the older of the two stays where it is.
  const moved = await tx.query<MovedDeployment>({
    name: 'move-named-deployments',
    text: `update deployments d set repository_id = t.into_id, revision = d.revision + 1
      from unnest($2::text[], $3::text[]) as t (id, into_id)
      where d.org_id = $1 and d.repository_id = t.id and not exists (select from deployments o
        where o.org_id = $1 and o.repository_id = t.into_id and o.external_id = d.external_id)
      returning d.id, d.repository_id as "repositoryId"`,
    values: pairs,
  })
  await moveTestRuns(tx, orgId, moved)
  await tx.query({
    name: 'delete-named-twins',
    text: `delete from repositories n where n.org_id = $1 and n.id = any ($2)
        and not exists (select from deployments d where d.org_id = $1 and d.repository_id = n.id)`,
    values: [orgId, twins.map(({ id }) => id)],
  })
  return supersedeEarlier(tx, orgId, [...new Set(twins.map(({ intoId }) => intoId))])
}

/** Lets the newest success on each target of some repositories be the only one that is live. */
async function supersedeEarlier(
  tx: Tx,
  orgId: string,
  repositoryIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'supersede-earlier-successes',
    text: `update deployments d set state = 'superseded', superseded_by = s.next, revision = d.revision + 1
      from (select id, lead(id) over (partition by repository_id, host_key, task
          order by position_at, external_id) as next
        from deployments where org_id = $1 and repository_id = any ($2) and succeeded_at is not null) s
      where d.org_id = $1 and d.id = s.id and s.next is not null and d.state = 'success'
      returning d.id`,
    values: [orgId, repositoryIds],
  })
  return rows.map(({ id }) => id)
}
