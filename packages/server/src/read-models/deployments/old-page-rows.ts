import type { CommitRow } from '../../deployments/commits/commit-rows.ts'
import type { Tx } from '../../store/store.ts'
import {
  detailColumns,
  detailTables,
  issueColumns,
  issueTables,
  shownTestRunColumns,
  statusColumns,
  type DeploymentDetailRow,
  type LiveConfigRow,
  type ShownIssueRow,
  type ShownTestRunRow,
  type StatusRow,
} from './detail-rows.ts'
import { surroundingColumns, surroundingTables, type SurroundingsRow } from './surrounding-rows.ts'

type Reader = Pick<Tx, 'query'>

/** Adds to a row the deployment that it belongs to. */
export type Of<Row> = Row & { readonly of: string }

/**
 * Lists deployments. The success that one is compared with may be gone before it: its id is still there, and its commit is where the
 * range of commits begins.
 */
export async function listDetailRows(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<DeploymentDetailRow[]> {
  return tx.query<DeploymentDetailRow>({
    name: 'list-old-deployments',
    text: `select ${detailColumns}, d.previous_successful_id as "previousId",
        case when p.id is not null then p.sha else d.range ->> 'base' end as "previousSha"
      from ${detailTables} where d.org_id = $1 and d.id = any ($2)`,
    values: [orgId, ids],
  })
}

/** Limits the commits of a page: an archived one would have a thousand of them for good. */
const commitsShown = 50

/** Lists the newest commits of deployments, oldest first. */
export async function listCommitsOf(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<Of<CommitRow>[]> {
  return tx.query<Of<CommitRow>>({
    name: 'list-commits-of-old-deployments',
    text: `select d.id as of, c.sha, c.message, c.author, c.at, c.url from deployments d cross join lateral (
        select * from deployment_commits where org_id = $1 and deployment_id = d.id order by position desc limit ${commitsShown}) c
      where d.org_id = $1 and d.id = any ($2) order by d.id, c.position`,
    values: [orgId, ids],
  })
}

/** Lists the issue keys of deployments. */
export async function listIssuesOf(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<Of<ShownIssueRow>[]> {
  return tx.query<Of<ShownIssueRow>>({
    name: 'list-issues-of-old-deployments',
    text: `select l.deployment_id as of, ${issueColumns} from ${issueTables}
      where l.org_id = $1 and l.deployment_id = any ($2) order by l.deployment_id, l.key`,
    values: [orgId, ids],
  })
}

/** Lists the statuses of deployments, oldest first. */
export async function listStatusesOf(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<Of<StatusRow>[]> {
  return tx.query<Of<StatusRow>>({
    name: 'list-statuses-of-old-deployments',
    text: `select deployment_id as of, ${statusColumns} from deployment_statuses
      where org_id = $1 and deployment_id = any ($2) order by deployment_id, external_id`,
    values: [orgId, ids],
  })
}

/** Lists the test runs of deployments, newest first. */
export async function listTestRunsOf(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<ShownTestRunRow[]> {
  return tx.query<ShownTestRunRow>({
    name: 'list-test-runs-of-old-deployments',
    text: `select ${shownTestRunColumns} from test_runs
      where org_id = $1 and deployment_id = any ($2) order by deployment_id, created_at desc, id desc`,
    values: [orgId, ids],
  })
}

/** Lists the configuration that was live with deployments, by schema. */
export async function listConfigsOf(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<Of<Pick<LiveConfigRow, 'schemaId' | 'schema' | 'version'>>[]> {
  return tx.query<Of<Pick<LiveConfigRow, 'schemaId' | 'schema' | 'version'>>>({
    name: 'list-configs-of-old-deployments',
    text: `select d.id as of, l."schemaId", s.name as schema, l.version
      from deployments d
        cross join json_to_recordset(d.config_versions) as l ("schemaId" text, version integer)
        left join config_schemas s on s.org_id = $1 and s.id = l."schemaId"
      where d.org_id = $1 and d.id = any ($2) and d.config_versions is not null
        and l."schemaId" is not null and l.version is not null
      order by s.name, l."schemaId"`,
    values: [orgId, ids],
  })
}

/** Lists what stands around deployments. */
export async function listSurroundingsOf(
  tx: Reader,
  orgId: string,
  ids: readonly string[],
): Promise<Of<SurroundingsRow>[]> {
  return tx.query<Of<SurroundingsRow>>({
    name: 'list-surroundings-of-old-deployments',
    text: `select d.id as of, ${surroundingColumns} from ${surroundingTables}
      where d.org_id = $1 and d.id = any ($2)`,
    values: [orgId, ids],
  })
}
