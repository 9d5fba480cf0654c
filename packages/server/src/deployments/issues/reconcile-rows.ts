import type { TrackerIssue } from '../../providers/tracker.ts'
import type { Tx } from '../../store/store.ts'
import type { DeploymentIssueRow } from './issue-rows.ts'

/** Limits the deployments whose issues are read again: the newest since a moment. */
export interface RecentDeployments {
  readonly since: Date
  readonly limit: number
}

/** Describes a key of a recent deployment, and the issue as the tracker showed it last. */
export interface RecordedKey {
  readonly deploymentId: string
  readonly key: string
  readonly state: DeploymentIssueRow['state']
  /** `null`: no issue is known for it. */
  readonly siteId: string | null
  readonly issue: TrackerIssue | null
}

/**
 * Lists the keys that recent deployments name and that were not read since `readBefore`, the one read longest ago first. An issue that
 * is shown was read when it was fetched, and any other key when the tracker was asked for it.
 */
export async function listKeysToReconcile(
  tx: Tx,
  orgId: string,
  of: RecentDeployments & { readonly readBefore: Date; readonly keysMax: number },
): Promise<string[]> {
  const rows = await tx.query<{ readonly key: string }>({
    name: 'list-keys-to-reconcile',
    text: `select key from (
        select n.key, max(greatest(i.fetched_at, n.asked_at)) as read_at from (
          select id from deployments where org_id = $1 and created_at >= $2 order by created_at desc, id desc limit $3
        ) d join deployment_issues n on n.org_id = $1 and n.deployment_id = d.id
          left join issues i on i.org_id = n.org_id and i.id = n.issue_id
        where n.state <> 'ignored' group by n.key
      ) named where read_at is null or read_at < $4 order by read_at nulls first, key limit $5`,
    values: [orgId, of.since, of.limit, of.readBefore, of.keysMax],
  })
  return rows.map(({ key }) => key)
}

/**
 * Lists the keys that recent deployments name after a key, in their order. `left` counts them together with those that come later.
 */
export async function pageRecentKeys(
  tx: Tx,
  orgId: string,
  of: RecentDeployments & { readonly after: string; readonly keysMax: number },
): Promise<{ readonly keys: readonly string[]; readonly left: number }> {
  const rows = await tx.query<{ readonly key: string; readonly left: number }>({
    name: 'page-recent-keys',
    text: `select key, coalesce((count(*) over ())::integer, 0) as left from (
        select distinct n.key from (
          select id from deployments where org_id = $1 and created_at >= $2 order by created_at desc, id desc limit $3
        ) d join deployment_issues n on n.org_id = $1 and n.deployment_id = d.id
        where n.state <> 'ignored' and n.key > $4
      ) named order by key limit $5`,
    values: [orgId, of.since, of.limit, of.after, of.keysMax],
  })
  return { keys: rows.map(({ key }) => key), left: rows[0]?.left ?? 0 }
}

/** Lists where recent deployments name keys, with their issues, the newest deployments first. */
export async function listRecordedKeys(
  tx: Tx,
  orgId: string,
  keys: readonly string[],
  { since, limit }: RecentDeployments,
): Promise<RecordedKey[]> {
  return tx.query<RecordedKey>({
    name: 'list-recorded-keys',
    text: `select n.deployment_id as "deploymentId", n.key, n.state, i.site_id as "siteId",
        case when i.id is null then null else json_build_object('externalId', i.external_id, 'key', i.key, 'title', i.title,
          'type', i.type, 'status', i.status, 'statusCategory', i.status_category, 'assignee', i.assignee,
          'priority', i.priority, 'url', i.url) end as issue
      from (
        select id from deployments where org_id = $1 and created_at >= $2 order by created_at desc, id desc limit $3
      ) d join deployment_issues n on n.org_id = $1 and n.deployment_id = d.id
        left join issues i on i.org_id = n.org_id and i.id = n.issue_id
      where n.state <> 'ignored' and n.key = any ($4)
      order by n.deployment_id desc, n.key`,
    values: [orgId, since, limit, keys],
  })
}

/** Records that the tracker was asked for keys of deployments. Dashboards read these deployments again. */
export async function markRecordedKeysAsked(
  tx: Tx,
  orgId: string,
  rows: readonly Pick<RecordedKey, 'deploymentId' | 'key'>[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  await tx.query({
    name: 'mark-recorded-keys-asked',
    text: `update deployment_issues n set asked_at = $4
      from unnest($2::text[], $3::text[]) asked (deployment_id, key)
      where n.org_id = $1 and n.deployment_id = asked.deployment_id and n.key = asked.key`,
    values: [orgId, rows.map(({ deploymentId }) => deploymentId), rows.map(({ key }) => key), at],
  })
}
