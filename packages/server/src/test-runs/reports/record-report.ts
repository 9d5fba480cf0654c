import { createHash } from 'node:crypto'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Scope } from '../../store/scope.ts'
import type { ReportParser } from './report-parser.ts'
import { deleteHostReport } from './report-rows.ts'
import { storeReport } from './store-report.ts'
import { lockRun } from '../runs/run-rows.ts'
import { summarizeReport } from './summarize-report.ts'
import type { TestRunDeps } from '../test-run-deps.ts'
import { toKeptText } from './test-report.ts'
import type { TestRun } from '../runs/test-run.ts'

/** Describes what recording reports works with. */
export interface ReportDeps extends TestRunDeps {
  readonly reports: Pick<ReportParser, 'parse'>
}

/** Describes a report as it was uploaded. */
export interface UploadedReport {
  readonly orgId: string
  readonly scope: Scope
  readonly runId: string
  readonly contentType: string | undefined
  readonly bytes: Buffer
  /** Left out: what the report says, and otherwise each report is a part of its own. */
  readonly shard: string | undefined
  /** Checks, with the run locked, that the sender may report it. @throws {Problem} */
  readonly checkRun: (run: TestRun) => void
}

/**
 * Records a report of a run's attempt. The parts of a run add up; a part that is sent again takes the place of what it said
 * before, and the same bytes say nothing new.
 *
 * @throws {Problem} `unsupported_media_type`, `invalid_report`, `overloaded`, `draining`, `not_found`
 */
export async function recordReport(deps: ReportDeps, upload: UploadedReport): Promise<TestRun> {
  const { orgId, runId } = upload
  const report = await deps.reports.parse(upload.contentType, upload.bytes)
  const hash = createHash('sha256').update(upload.bytes).digest()
  const named = toKeptText(upload.shard ?? report.shard ?? '', 100)
  const shard = named === '' ? `sha256:${hash.toString('hex')}` : named
  const summary = summarizeReport(report)
  return deps.store.transaction(upload.scope, async (tx) => {
    const run = await lockRun(tx, orgId, runId)
    if (run === undefined) throw notFound()
    upload.checkRun(run)
    // An upload takes the place of what the host shows: they are the same tests.
    await deleteHostReport(tx, orgId, { runId, attempt: run.attempt })
    return storeReport(deps, tx, { orgId, run }, { ...report, shard, hash, summary })
  })
}
