import { createHash } from 'node:crypto'
import type { Tx } from '../../store/store.ts'
import type { AttemptedCase } from './flaky.ts'
import { hostShard } from './report-shard.ts'
import type { ReportSummary, StoredPart } from './summarize-report.ts'
import type { TestCase } from './test-report.ts'

/** Names the form of a report. `codehost`: it was read from the code host, and not uploaded. */
export type ReportFormat = 'ctrf' | 'junit' | 'codehost'

/** Names a shard of an attempt of a run. */
export interface ReportShard {
  readonly runId: string
  readonly attempt: number
  readonly shard: string
}

/**
 * Replaces an earlier report of the same shard.
 *
 * @returns `false` when the very same bytes are there already.
 */
export async function saveReport(
  tx: Tx,
  orgId: string,
  { runId, attempt, shard }: ReportShard,
  report: {
    readonly hash: Buffer
    readonly format: ReportFormat
    readonly summary: ReportSummary
    readonly contaminated: boolean
    readonly receivedAt: Date
  },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'save-test-report',
    text: `insert into test_reports (org_id, run_id, attempt, shard, content_hash, format, summary, contaminated, received_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (org_id, run_id, attempt, shard) do update set content_hash = excluded.content_hash,
        format = excluded.format, summary = excluded.summary, received_at = excluded.received_at,
        results_deleted_at = null
      where test_reports.content_hash <> excluded.content_hash
      returning run_id`,
    values: [
      orgId,
      runId,
      attempt,
      shard,
      report.hash,
      report.format,
      JSON.stringify(report.summary),
      report.contaminated,
      report.receivedAt,
    ],
  })
  return rows.length === 1
}

/** Replaces the results of a shard. Each case is stored once. */
export async function replaceResults(
  tx: Tx,
  orgId: string,
  { runId, attempt, shard }: ReportShard,
  cases: readonly TestCase[],
): Promise<void> {
  await tx.query({
    name: 'delete-test-results',
    text: 'delete from test_results where org_id = $1 and run_id = $2 and attempt = $3 and shard = $4',
    values: [orgId, runId, attempt, shard],
  })
  await tx.query({
    name: 'insert-test-results',
    text: `insert into test_results (org_id, run_id, attempt, shard, case_hash, suite, name, status, retries, flaky,
        duration_ms, message)
      select $1, $2, $3, $4, cases.* from unnest($5::bytea[], $6::text[], $7::text[], $8::text[], $9::int[],
        $10::boolean[], $11::bigint[], $12::text[]) as cases`,
    values: [
      orgId,
      runId,
      attempt,
      shard,
      cases.map(hashCase),
      cases.map(({ suite }) => suite),
      cases.map(({ name }) => name),
      cases.map(({ status }) => status),
      cases.map(({ retries }) => retries),
      cases.map(({ flaky }) => flaky),
      cases.map(({ durationMs }) => durationMs),
      cases.map(({ message }) => message),
    ],
  })
}

/** Returns what names a test from run to run: a hash of its suite and its name. */
function hashCase({ suite, name }: TestCase): Buffer {
  return createHash('sha256').update(`${suite}\0${name}`).digest().subarray(0, 16)
}

/** Limits the parts of an attempt. */
export const partsMax = 5000

/** Lists the sums of the parts of an attempt. */
export async function listSummaries(
  tx: Tx,
  orgId: string,
  { runId, attempt }: Pick<ReportShard, 'runId' | 'attempt'>,
): Promise<StoredPart[]> {
  return tx.query<StoredPart>({
    name: 'list-test-report-summaries',
    text: `select shard, summary from test_reports where org_id = $1 and run_id = $2 and attempt = $3
      order by shard limit ${partsMax + 1}`,
    values: [orgId, runId, attempt],
  })
}

/** Lists every attempt at the tests of a run that failed or were repeated: the others cannot be flaky. */
export async function listDoubtfulCases(
  tx: Tx,
  orgId: string,
  runId: string,
): Promise<Omit<AttemptedCase, 'sha'>[]> {
  return tx.query({
    name: 'list-doubtful-test-cases',
    text: `select encode(t.case_hash, 'hex') as "caseKey", t.attempt, t.status, t.flaky, r.contaminated
      from test_results t
      join test_reports r on r.org_id = t.org_id and r.run_id = t.run_id and r.attempt = t.attempt and r.shard = t.shard
      where t.org_id = $1 and t.run_id = $2 and (t.flaky or t.case_hash in (
        select case_hash from test_results where org_id = $1 and run_id = $2 and status = 'failed'))
      order by t.attempt limit 200000`,
    values: [orgId, runId],
  })
}

/** Marks the reports of an attempt as contaminated: another deployment went live in the meantime. */
export async function markReportsContaminated(
  tx: Tx,
  orgId: string,
  { runId, attempt }: Pick<ReportShard, 'runId' | 'attempt'>,
): Promise<void> {
  await tx.query({
    name: 'mark-test-reports-contaminated',
    text: 'update test_reports set contaminated = true where org_id = $1 and run_id = $2 and attempt = $3',
    values: [orgId, runId, attempt],
  })
}

/** Returns whether a pipeline has uploaded results of an attempt. */
export async function hasUploads(
  tx: Tx,
  orgId: string,
  { runId, attempt }: Pick<ReportShard, 'runId' | 'attempt'>,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'has-uploaded-test-reports',
    text: `select run_id from test_reports
      where org_id = $1 and run_id = $2 and attempt = $3 and format <> 'codehost' limit 1`,
    values: [orgId, runId, attempt],
  })
  return rows.length > 0
}

/** Deletes what the code host has shown of an attempt, with its results. */
export async function deleteHostReport(
  tx: Tx,
  orgId: string,
  { runId, attempt }: Pick<ReportShard, 'runId' | 'attempt'>,
): Promise<void> {
  const rows = await tx.query({
    name: 'delete-host-test-report',
    text: `delete from test_reports where org_id = $1 and run_id = $2 and attempt = $3 and format = 'codehost'
      returning run_id`,
    values: [orgId, runId, attempt],
  })
  if (rows.length === 0) return
  await tx.query({
    name: 'delete-host-test-results',
    text: 'delete from test_results where org_id = $1 and run_id = $2 and attempt = $3 and shard = $4',
    values: [orgId, runId, attempt, hostShard],
  })
}
