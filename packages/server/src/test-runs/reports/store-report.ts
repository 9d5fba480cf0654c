import type { Tx } from '../../store/store.ts'
import { applyRunReport, countFlaky, type ReportingDeps } from '../runs/apply-run-report.ts'
import type { TestRun } from '../runs/test-run.ts'
import {
  listSummaries,
  partsMax,
  replaceResults,
  saveReport,
  type ReportFormat,
  type ReportShard,
} from './report-rows.ts'
import {
  mergeCases,
  mergeSummaries,
  summarizeMissing,
  toOutcome,
  type ReportSummary,
  type StoredPart,
} from './summarize-report.ts'
import type { TestCase } from './test-report.ts'

/** Describes a report that is stored as one part of a run. */
export interface ReportPart {
  readonly shard: string
  /** Names its contents: the same one again says nothing new. */
  readonly hash: Buffer
  readonly format: ReportFormat
  readonly cases: readonly TestCase[]
  readonly summary: ReportSummary
}

/**
 * Stores a part of the results of a run that this transaction has locked, in the place of the same part, and merges the sums of all
 * parts into the run.
 */
export async function storeReport(
  deps: ReportingDeps,
  tx: Tx,
  { orgId, run }: { readonly orgId: string; readonly run: TestRun },
  { shard, hash, format, cases, summary }: ReportPart,
): Promise<TestRun> {
  const shardOf = { runId: run.id, attempt: run.attempt, shard }
  const receivedAt = deps.now()
  const contaminated = run.contaminatedBy !== null
  const saved = { hash, format, summary, contaminated, receivedAt }
  if (!(await saveReport(tx, orgId, shardOf, saved))) return run
  await replaceResults(tx, orgId, shardOf, mergeCases(cases))
  const whole = mergeSummaries(await listParts(tx, orgId, shardOf))
  const state = toOutcome(whole)
  const flaky = contaminated ? 0 : await countFlaky(tx, orgId, run)
  const { passed, failed, skipped, durationMs } = whole
  return applyRunReport(
    deps,
    tx,
    { orgId, run },
    {
      source: 'report',
      state,
      ...(state === 'errored' && { reason: 'report_missing' }),
      notes: whole.notes,
      at: receivedAt,
      // When the tests began by their own clock decides nothing here: it may be any.
      durationMs,
      counts: { passed, failed, skipped, flaky },
    },
  )
}

/** Lists the parts of an attempt. Parts beyond the limit count as missing instead of being dropped silently. */
async function listParts(tx: Tx, orgId: string, of: ReportShard): Promise<readonly StoredPart[]> {
  const stored = await listSummaries(tx, orgId, of)
  if (stored.length <= partsMax) return stored
  const detail = `A run may have at most ${partsMax} reports.`
  return [...stored.slice(0, partsMax), { shard: 'sha256:', summary: summarizeMissing(detail) }]
}
