import { createHash } from 'node:crypto'
import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Scope } from '../../store/scope.ts'
import type { ReportParser } from './report-parser.ts'
import { deleteHostReport } from './report-rows.ts'
import { storeReport, type ReportPart } from './store-report.ts'
import { lockRun } from '../runs/run-rows.ts'
import {
  countRepeated,
  mergeRetries,
  summarizeMissing,
  summarizeReport,
} from './summarize-report.ts'
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
  readonly readBytes: () => Promise<Buffer>
  /** Left out: what the report says, and otherwise each report is a part of its own. */
  readonly shard?: string | undefined
  /** Says how many parts the sender sends, one after the other. */
  readonly parts?: number | undefined
  /** Says why the sender cannot send this part. */
  readonly missing?: string | undefined
  /** Says what tests of the same name are: each one that counts, or tries of the same one. */
  readonly repeats: 'tests' | 'retries'
  /** Checks, with the run locked, that the sender may report it. @throws {Problem} */
  readonly checkRun: (run: TestRun) => void
}

/** Names what is wrong with a report itself: sent again as it is, it is refused again. */
const rejectionCodes: ReadonlySet<string> = new Set([
  'invalid_report',
  'unsupported_media_type',
  'body_too_large',
])

/**
 * Records a report of a run's attempt. The parts of a run add up; a part that is sent again takes the place of what it said
 * before, and the same bytes say nothing new. A part that is refused is recorded as missing, because what arrives without it says
 * too little.
 *
 * @throws {Problem} `unsupported_media_type`, `invalid_report`, `overloaded`, `draining`, `not_found`
 */
export async function recordReport(deps: ReportDeps, upload: UploadedReport): Promise<TestRun> {
  if (upload.missing !== undefined) return recordMissing(deps, upload, upload.missing)
  let bytes: Buffer | undefined
  try {
    bytes = await upload.readBytes()
    return await record(deps, upload, await readPart(deps, upload, bytes))
  } catch (error) {
    if (!(error instanceof Problem) || !rejectionCodes.has(error.code)) throw error
    await recordMissing(deps, upload, error.message, bytes)
    throw error
  }
}

async function recordMissing(
  deps: ReportDeps,
  upload: UploadedReport,
  why: string,
  bytes: Buffer = Buffer.from(why),
): Promise<TestRun> {
  const missing = toKeptText(why, missingLength)
  const hash = createHash('sha256').update('missing\0').update(bytes).digest()
  const summary = { ...summarizeMissing(missing), ...partsOf(upload) }
  return record(deps, upload, { shard: null, hash, format: 'junit', cases: [], summary })
}

const missingLength = 300

async function readPart(
  { reports }: ReportDeps,
  upload: UploadedReport,
  bytes: Buffer,
): Promise<UnnamedPart> {
  const report = await reports.parse(upload.contentType, bytes)
  const areRetries = upload.repeats === 'retries'
  const cases = areRetries ? mergeRetries(report.cases) : report.cases
  const repeated = countRepeated(cases)
  const hash = createHash('sha256').update(bytes)
  if (areRetries) hash.update('\0retries')
  const { format, shard } = report
  const summary = {
    ...summarizeReport({ ...report, cases }),
    ...partsOf(upload),
    ...(repeated > 0 && { repeated }),
  }
  return { shard, hash: hash.digest(), format, cases, summary }
}

type UnnamedPart = Omit<ReportPart, 'shard'> & { readonly shard: string | null }

function partsOf({ parts }: UploadedReport): { readonly parts?: number } {
  return parts === undefined ? {} : { parts }
}

async function record(
  deps: ReportDeps,
  { orgId, runId, scope, checkRun, shard }: UploadedReport,
  part: UnnamedPart,
): Promise<TestRun> {
  const named = toKeptText(shard ?? part.shard ?? '', 100)
  return deps.store.transaction(scope, async (tx) => {
    const run = await lockRun(tx, orgId, runId)
    if (run === undefined) throw notFound()
    checkRun(run)
    // An upload takes the place of what the host shows: they are the same tests.
    await deleteHostReport(tx, orgId, { runId, attempt: run.attempt })
    const name = named === '' ? `sha256:${part.hash.toString('hex')}` : named
    return storeReport(deps, tx, { orgId, run }, { ...part, shard: name })
  })
}
