import type { CommitCheck } from '@signalbox/contract/rest'
import type { StoredDefinition } from '../config-model/definition.ts'
import type { Tx } from '../store/store.ts'
import type { CheckedSchema } from './commit-check.ts'

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
  readonly results: readonly CheckedSchema[]
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

/** Finds what was found of a commit of a repository. */
export async function findCommitCheckRow(
  tx: Tx,
  orgId: string,
  { repositoryId, sha }: CommitOf,
): Promise<CheckRow | undefined> {
  const [row] = await tx.query<CheckRow>({
    name: 'find-check-of-commit',
    text: `select ${columns} from ${source} where c.org_id = $1 and c.repository_id = $2 and c.sha = $3`,
    values: [orgId, repositoryId, sha],
  })
  return row
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

/** Notes that a branch is gone: what it proposed is closed at the next comparison. Returns whether any check was of it. */
export async function forgetBranch(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string; readonly branch: string },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'forget-branch-of-commit-checks',
    text: `update commit_checks set ref = null where org_id = $1 and repository_id = $2 and ref = $3 returning 1`,
    values: [orgId, of.repositoryId, of.branch],
  })
  return rows.length > 0
}

/** Describes what an upload says of a commit. */
export interface UploadedCommit extends CommitOf {
  readonly id: string
  readonly ref: string | null
  readonly pullRequest: number | null
  readonly isFork: boolean
  readonly at: Date
}

/**
 * Adds the check of a commit, or notes that it was uploaded again. Returns its id. What is known of its branch stays if an upload lacks
 * it. A pipeline that runs again does not make an old commit the newest of its branch.
 */
export async function saveUploadRow(tx: Tx, orgId: string, of: UploadedCommit): Promise<string> {
  const [row] = await tx.query<{ readonly id: string }>({
    name: 'save-commit-upload',
    text: `insert into commit_checks as c (org_id, id, repository_id, sha, ref, pull_request, is_fork, conclusion, results,
        uploaded_at, checked_at)
      values ($1, $2, $3, $4, $5, $6, $7, 'success', '[]', $8, $8)
      on conflict (org_id, repository_id, sha) do update set
        uploaded_at = case when excluded.ref is null or excluded.ref = c.ref then c.uploaded_at else excluded.uploaded_at end,
        ref = coalesce(excluded.ref, c.ref), is_fork = excluded.is_fork,
        pull_request = case when excluded.ref is null then coalesce(excluded.pull_request, c.pull_request)
          else excluded.pull_request end
      returning id`,
    values: [orgId, of.id, of.repositoryId, of.sha, of.ref, of.pullRequest, of.isFork, of.at],
  })
  if (row === undefined) throw new Error('A check was deleted while it was uploaded')
  return row.id
}

/** Describes a definition that a commit declares. */
export interface DefinitionRow {
  readonly checkId: string
  readonly schemaName: string
  readonly definition: StoredDefinition
  readonly hash: string
  /** Names the file that declares it. `null`: not known. */
  readonly path: string | null
  readonly lines: Readonly<Record<string, number>> | null
}

/** Stores the definition of one schema of a commit. Returns how many schemas the commit declares. */
export async function saveDefinitionRow(
  tx: Tx,
  orgId: string,
  { checkId, schemaName, definition, hash, path, lines }: DefinitionRow,
): Promise<number> {
  await tx.query({
    name: 'save-commit-definition',
    text: `insert into commit_definitions (org_id, check_id, schema_name, definition, hash, path, lines)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (org_id, check_id, lower(schema_name)) do update set schema_name = excluded.schema_name, definition = excluded.definition, hash = excluded.hash,
        path = excluded.path, lines = excluded.lines`,
    values: [
      orgId,
      checkId,
      schemaName,
      JSON.stringify(definition),
      hash,
      path,
      lines && JSON.stringify(lines),
    ],
  })
  const [row] = await tx.query<{ readonly count: number }>({
    name: 'count-commit-definitions',
    text: 'select count(*)::integer as count from commit_definitions where org_id = $1 and check_id = $2',
    values: [orgId, checkId],
  })
  return row?.count ?? 0
}

/** Says of a deployment `d` that it runs now. */
export const runsNow = `d.state = 'success'`

/**
 * Opens and closes checks. One is open while its commit runs, is the newest of an open pull request, or the newest upload of its
 * branch whose pull request has not ended; beyond a number of them, the oldest of a repository are closed.
 */
export async function refreshStates(
  tx: Tx,
  orgId: string,
  of: { readonly repositoryId: string | null; readonly openMax: number },
): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'refresh-commit-check-states',
    text: `with judged as (
        select c.id, c.repository_id, c.uploaded_at,
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
        select id, (is_live or is_proposed or is_newest)
          and row_number() over (partition by repository_id, is_live or is_proposed or is_newest
            order by is_live desc, uploaded_at desc, id desc) <= $3 as is_open
        from judged
      )
      update commit_checks c set state = case when r.is_open then 'open' else 'closed' end
      from ranked r where c.org_id = $1 and c.id = r.id and c.state <> case when r.is_open then 'open' else 'closed' end
      returning c.id`,
    values: [orgId, of.repositoryId, of.openMax],
  })
  return rows.map(({ id }) => id)
}

/** Describes a check that may have to say something else now. */
export interface OpenCheck {
  readonly id: string
  readonly repositoryId: string
  readonly sha: string
  readonly results: readonly CheckedSchema[]
}

/** Lets one transaction at a time settle the checks of an organization, so that what is stored last was read last. */
export async function lockChecks(tx: Tx, orgId: string): Promise<void> {
  await tx.query({
    name: 'lock-commit-checks',
    text: `select pg_advisory_xact_lock(hashtextextended('commit checks ' || $1, 0))`,
    values: [orgId],
  })
}

/** Lists the open checks of an organization, and holds them until the transaction ends. */
export async function lockOpenChecks(
  tx: Tx,
  orgId: string,
  id: string | null,
): Promise<OpenCheck[]> {
  return tx.query<OpenCheck>({
    name: 'lock-open-commit-checks',
    text: `select id, repository_id as "repositoryId", sha, results from commit_checks
      where org_id = $1 and ($2::text is null and state = 'open' or id = $2) order by id for update`,
    values: [orgId, id],
  })
}

/** Lists the definitions of some checks. */
export async function listDefinitionRows(
  tx: Tx,
  orgId: string,
  checkIds: readonly string[],
): Promise<DefinitionRow[]> {
  return tx.query<DefinitionRow>({
    name: 'list-commit-definitions',
    text: `select check_id as "checkId", schema_name as "schemaName", definition, hash, path, lines from commit_definitions
      where org_id = $1 and check_id = any ($2::text[]) order by check_id, lower(schema_name)`,
    values: [orgId, checkIds],
  })
}

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

/** Describes what a check says now. */
export interface StoredResult {
  readonly id: string
  readonly conclusion: CommitCheck['conclusion']
  readonly results: readonly CheckedSchema[]
}

/** Stores what checks say that say something else than before: their status at the code host waits to be written again. */
export async function saveResults(
  tx: Tx,
  orgId: string,
  results: readonly StoredResult[],
): Promise<void> {
  if (results.length === 0) return
  await tx.query({
    name: 'save-commit-check-results',
    text: `update commit_checks c set conclusion = n.conclusion, results = n.results, report_state = 'waiting',
        report_fence = c.report_fence + 1
      from (select ($2::text[])[i] as id, ($3::text[])[i] as conclusion, ($4::jsonb[])[i] as results
        from generate_subscripts($2::text[], 1) i) n
      where c.org_id = $1 and c.id = n.id`,
    values: [
      orgId,
      results.map(({ id }) => id),
      results.map(({ conclusion }) => conclusion),
      results.map((each) => JSON.stringify(each.results)),
    ],
  })
}

/** Notes when checks were compared, and with which state of the configuration. */
export async function noteChecked(
  tx: Tx,
  orgId: string,
  of: { readonly ids: readonly string[]; readonly at: Date; readonly mark: string },
): Promise<void> {
  await tx.query({
    name: 'note-commit-checks-compared',
    text: 'update commit_checks set checked_at = $3, compared_mark = $4 where org_id = $1 and id = any ($2::text[])',
    values: [orgId, of.ids, of.at, of.mark],
  })
}

/** Says how the status of a check stands at the code host. */
export interface ReportResult {
  readonly id: string
  /** Ties it to the result that it was for: the status of a newer one is still to be written. */
  readonly fence: number
  readonly state: CommitCheck['report']['state']
  readonly kind?: CommitCheck['report']['kind']
  readonly externalId?: string | null
  readonly url?: string | null
  readonly detail: string | null
  readonly nextStep: string | null
  readonly at: Date
}

/** Stores how the status of a check stands. Returns whether it was for the newest result: an older one may stand there in its place now. */
export async function saveReport(tx: Tx, orgId: string, of: ReportResult): Promise<boolean> {
  const [row] = await tx.query<{ readonly isNewest: boolean }>({
    name: 'save-commit-check-report',
    text: `update commit_checks set report_state = case when report_fence = $3 then $4 else 'waiting' end,
        report_kind = coalesce($5, report_kind), report_external_id = coalesce($6, report_external_id),
        report_url = coalesce($7, report_url), report_detail = $8, report_next_step = $9,
        report_written_at = case when $4 = 'written' then $10 else report_written_at end
      where org_id = $1 and id = $2 returning report_fence = $3 as "isNewest"`,
    values: [
      orgId,
      of.id,
      of.fence,
      of.state,
      of.kind ?? null,
      of.externalId ?? null,
      of.url ?? null,
      of.detail,
      of.nextStep,
      of.at,
    ],
  })
  return row?.isNewest !== false
}

/** Lists open checks whose status was refused or could not be written, to try them again after the code host was connected. */
export async function reopenReports(tx: Tx, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ readonly id: string }>({
    name: 'reopen-commit-check-reports',
    text: `update commit_checks set report_state = 'waiting', report_fence = report_fence + 1
      where org_id = $1 and state = 'open' and report_state <> 'written' returning id`,
    values: [orgId],
  })
  return rows.map(({ id }) => id)
}
