import type { CommitCheck } from '@signalbox/contract/rest'
import type { StoredDefinition } from '../config-model/definition.ts'
import type { CommitOf, JudgedCheck } from '../read-models/commit-checks/check-rows.ts'
import type { Tx } from '../store/store.ts'
import type { CheckedSchema } from './commit-check.ts'

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

/** Opens and closes checks, as they were judged. */
export async function saveJudged(
  tx: Tx,
  orgId: string,
  checks: readonly JudgedCheck[],
): Promise<void> {
  if (checks.length === 0) return
  await tx.query({
    name: 'save-judged-commit-checks',
    text: `update commit_checks c set state = case when n.is_open then 'open' else 'closed' end, is_live = n.is_live
      from unnest($2::text[], $3::boolean[], $4::boolean[]) as n (id, is_open, is_live) where c.org_id = $1 and c.id = n.id`,
    values: [
      orgId,
      checks.map(({ id }) => id),
      checks.map(({ isOpen }) => isOpen),
      checks.map(({ isLive }) => isLive),
    ],
  })
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
      where org_id = $1 and id = $2 returning coalesce(report_fence = $3, false) as "isNewest"`,
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
