import type { CommitCheck } from '@signalbox/contract/rest'
import type { StoredDefinition } from '../../config-model/definition.ts'
import type { Tx } from '../../store/store.ts'

/** Describes a check as it is stored, with what is known of its repository and its pull request. */
export interface CheckRow {
  readonly id: string
  readonly repositoryId: string
  readonly repository: string
  readonly sha: string
  readonly ref: string | null
  readonly pullRequest: number | null
  readonly pullRequestUrl: string | null
  readonly isFork: boolean
  readonly state: CommitCheck['state']
  readonly conclusion: CommitCheck['conclusion']
  readonly results: CommitCheck['schemas']
  readonly uploadedAt: Date
  readonly checkedAt: Date
  /** Differs for every state of the configuration that it was compared with. */
  readonly comparedMark: string
  readonly reportState: CommitCheck['report']['state']
  readonly reportFence: number
  readonly reportWrittenAt: Date | null
  readonly reportKind: CommitCheck['report']['kind']
  readonly reportExternalId: string | null
  readonly reportDetail: string | null
  readonly reportNextStep: string | null
  readonly reportUrl: string | null
}

const columns = `c.id, c.repository_id as "repositoryId", r.full_name as repository, c.sha, c.ref,
  coalesce(p.number, c.pull_request) as "pullRequest", p.url as "pullRequestUrl", c.is_fork or coalesce(p.is_fork, false) as "isFork",
  c.state, c.conclusion, c.results, c.uploaded_at as "uploadedAt", c.checked_at as "checkedAt", c.compared_mark as "comparedMark", c.report_state as "reportState",
  c.report_fence as "reportFence", c.report_written_at as "reportWrittenAt", c.report_kind as "reportKind",
  c.report_external_id as "reportExternalId", c.report_detail as "reportDetail", c.report_next_step as "reportNextStep",
  c.report_url as "reportUrl"`

/** Joins the pull request of a check: the one that it was uploaded for, or the newest that proposes its commit. */
const source = `commit_checks c join repositories r on r.org_id = c.org_id and r.id = c.repository_id
  left join lateral (select q.number, q.url, q.is_fork from pull_requests q
    where q.org_id = c.org_id and q.repository_id = c.repository_id and (q.number = c.pull_request or q.head_sha = c.sha)
    order by q.number = c.pull_request desc nulls last, q.state = 'open' desc, q.number desc limit 1) p on true`

/** Finds what is stored under an id, with its pull request. */
export async function findCheckRow(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<CheckRow | undefined> {
  const [row] = await tx.query<CheckRow>({
    name: 'find-commit-check',
    text: `select ${columns} from ${source} where c.org_id = $1 and c.id = $2`,
    values: [orgId, id],
  })
  return row
}

/** Narrows a list of checks. `null`: any. */
export interface CheckFilter {
  readonly repository: string | null
  readonly sha: string | null
  readonly pullRequest: number | null
  readonly state: string | null
}

/** Lists a page of checks below an id, newest first. A commit may be shortened. */
export async function pageCheckRows(
  tx: Tx,
  orgId: string,
  filter: CheckFilter & { readonly below: string | null; readonly limit: number },
): Promise<CheckRow[]> {
  return tx.query<CheckRow>({
    name: '',
    text: `select ${columns} from ${source} where c.org_id = $1
      and ($2::text is null or lower(r.full_name) = lower($2)) and ($3::text is null or c.sha like $3 || '%')
      and ($4::integer is null or coalesce(p.number, c.pull_request) = $4) and ($5::text is null or c.state = $5)
      and ($6::text is null or c.id < $6) order by c.id desc limit $7`,
    values: [
      orgId,
      filter.repository,
      filter.sha,
      filter.pullRequest,
      filter.state,
      filter.below,
      filter.limit,
    ],
  })
}

/** Names a commit of a repository. */
export interface CommitOf {
  readonly repositoryId: string
  readonly sha: string
}

/** Lists what was found of several commits. */
export async function listCommitCheckRows(
  tx: Tx,
  orgId: string,
  commits: readonly CommitOf[],
): Promise<CheckRow[]> {
  return tx.query<CheckRow>({
    name: 'list-checks-of-commits',
    text: `select ${columns} from ${source} where c.org_id = $1
      and (c.repository_id, c.sha) in (select * from unnest($2::text[], $3::text[]))`,
    values: [orgId, commits.map(({ repositoryId }) => repositoryId), commits.map(({ sha }) => sha)],
  })
}

/** Says of a deployment `d` that it runs now. */
const runsNow = `d.state = 'success'`

/** Describes a definition of a commit that runs in an environment. */
export interface LiveRow {
  readonly repositoryId: string
  readonly environmentId: string
  readonly sha: string
  readonly schemaName: string
  readonly definition: StoredDefinition
}

/** Lists the definitions of the commits that run in each environment. Deployments without an upload are left out. */
export async function listLiveRows(tx: Tx, orgId: string): Promise<LiveRow[]> {
  return tx.query<LiveRow>({
    name: 'list-live-commit-definitions',
    text: `select d.repository_id as "repositoryId", d.environment_id as "environmentId", d.sha,
        f.schema_name as "schemaName", f.definition
      from (select distinct repository_id, environment_id, sha from deployments d
        where d.org_id = $1 and d.environment_id is not null and ${runsNow}) d
      join commit_checks c on c.org_id = $1 and c.repository_id = d.repository_id and c.sha = d.sha
      join commit_definitions f on f.org_id = $1 and f.check_id = c.id`,
    values: [orgId],
  })
}

/** Says whether a check is open, and whether its commit runs. */
export interface JudgedCheck {
  readonly id: string
  readonly isOpen: boolean
  readonly isLive: boolean
}

/**
 * Lists the checks that are to be opened or closed, or whose commit runs now and did not, or the other way round. One is open while its
 * commit runs, is the newest of an open pull request, or the newest upload of its branch whose pull request has not ended; beyond a
 * number of them, the oldest of a repository are closed.
 */
export async function listJudgedChecks(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string | null; readonly openMax: number },
): Promise<JudgedCheck[]> {
  return tx.query<JudgedCheck>({
    name: 'list-judged-commit-checks',
    text: `with judged as (
        select c.id, c.repository_id, c.uploaded_at, c.state, c.is_live as was_live,
          exists (select from deployments d where d.org_id = c.org_id and d.repository_id = c.repository_id and d.sha = c.sha
            and ${runsNow}) as is_live,
          exists (select from pull_requests p where p.org_id = c.org_id and p.repository_id = c.repository_id
            and p.head_sha = c.sha and p.state = 'open') as is_proposed,
          c.ref is not null and not exists (select from commit_checks n where n.org_id = c.org_id and n.repository_id = c.repository_id
            and n.ref = c.ref and n.pull_request is not distinct from c.pull_request
            and (n.uploaded_at, n.id) > (c.uploaded_at, c.id))
          and not exists (select from pull_requests p where p.org_id = c.org_id and p.repository_id = c.repository_id
            and (p.number = c.pull_request
              or p.head_ref = c.ref and not p.is_fork and (p.head_sha = c.sha or p.host_updated_at >= c.uploaded_at))) as is_newest
        from commit_checks c where c.org_id = $1 and ($2::text is null or c.repository_id = $2)
      ), ranked as (
        select id, state, was_live, is_live, (is_live or is_proposed or is_newest)
          and row_number() over (partition by repository_id, is_live or is_proposed or is_newest
            order by is_live desc, uploaded_at desc, id desc) <= $3 as is_open
        from judged
      )
      select id, coalesce(is_open, false) as "isOpen", coalesce(is_live, false) as "isLive" from ranked
      where (state = 'open') is distinct from is_open or was_live is distinct from is_live`,
    values: [orgId, of.repositoryId, of.openMax],
  })
}
