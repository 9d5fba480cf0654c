import type { TestDatabase } from '../../store/testing/test-database.ts'

/** Everything that is kept of an organization's deployments but the ids and times of our own. */
export async function readRecords(
  { asOwner }: Pick<TestDatabase, 'asOwner'>,
  orgId: string,
): Promise<Record<string, unknown>[]> {
  return asOwner(
    `select d.external_id, d.state, d.reported_state, d.state_seq::text, d.relation, d.environment_id is null as unmapped,
        d.host_key as host, d.url, d.description, d.started_at, d.finished_at, d.succeeded_at,
        p.external_id as previous, n.external_id as next, d.branch,
        (select json_agg(json_build_array(i.key, i.state, i.evidence) order by i.key) from deployment_issues i
          where i.org_id = d.org_id and i.deployment_id = d.id) as issues,
        (select json_agg(json_build_array(s.external_id::text, s.state) order by s.external_id)
          from deployment_statuses s where s.org_id = d.org_id and s.deployment_id = d.id) as statuses
      from deployments d
        left join deployments p on p.org_id = d.org_id and p.id = d.previous_successful_id
        left join deployments n on n.org_id = d.org_id and n.id = d.superseded_by
      where d.org_id = $1 order by d.external_id`,
    [orgId],
  )
}
