import type { Tx } from '../../store/store.ts'

/**
 * Lists those of some deployments that test runs still need: a run of it has not ended, or it is the reason why the run of another
 * deployment proves nothing.
 */
export async function listDeploymentsInTests(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  deploymentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string | null }>({
    name: 'list-deployments-in-tests',
    text: `select deployment_id as id from test_runs
        where org_id = $1 and deployment_id = any ($2) and finished_at is null
      union select contaminated_by from test_runs
        where org_id = $1 and contaminated_by = any ($2)
          and (deployment_id is null or deployment_id <> all ($2))`,
    values: [orgId, deploymentIds],
  })
  return rows.flatMap(({ id }) => id ?? [])
}

/** Lists the ids of the test runs of deployments. */
export async function listRunsOfDeployments(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  deploymentIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'list-runs-of-old-deployments',
    text: 'select id from test_runs where org_id = $1 and deployment_id = any ($2)',
    values: [orgId, deploymentIds],
  })
  return rows.map(({ id }) => id)
}

/** Finds the first organization after another one that has a test run of no deployment. */
export async function findNextOrganizationOfRuns(
  tx: Pick<Tx, 'query'>,
  after: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly orgId: string }>({
    name: 'find-next-organization-of-runs',
    text: `select org_id as "orgId" from test_runs where org_id > $1 and deployment_id is null
      order by org_id limit 1`,
    values: [after],
  })
  return row?.orgId
}

/** Locks the oldest ended test runs of no deployment from before a moment. One that is being reported on is left out. */
export async function lockOldRuns(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'lock-old-test-runs',
    text: `select id from test_runs
      where org_id = $1 and deployment_id is null and created_at < $2 and finished_at < $2
      order by created_at, id limit $3 for update skip locked`,
    values: [orgId, before, limit],
  })
  return rows.map(({ id }) => id)
}

/** Deletes at most `limit` results of test runs, and returns how many. */
export async function deleteResultsOfRuns(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>({
    name: 'delete-results-of-old-runs',
    text: `with gone as (delete from test_results where ctid = any (array(
          select ctid from test_results where org_id = $1 and run_id = any ($2) limit $3)) returning 1)
      select count(*)::integer as count from gone`,
    values: [orgId, ids, limit],
  })
  return row?.count ?? 0
}

/** Deletes test runs. The foreign keys delete their reports. Their results are deleted before, some at a time. */
export async function deleteRuns(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'delete-old-test-runs',
    text: 'delete from test_runs where org_id = $1 and id = any ($2)',
    values: [orgId, ids],
  })
}
