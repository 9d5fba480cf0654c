import { defineCommand, type FlagValues } from '../../action.ts'
import type { TestRun } from '../../api/operations.ts'
import { switchFlag, textFlag } from '../../cli-context.ts'
import { openUpload, type Upload } from '../../pipeline/reports/open-upload.ts'
import type { ReportFile } from '../../pipeline/reports/read-report-file.ts'
import {
  assertAllRead,
  readPart,
  uploadParts,
  type Part,
  type RefusedPart,
} from '../../pipeline/reports/upload-parts.ts'
import type { Session } from '../../session.ts'
import type { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'

const reportFlags = {
  deployment: textFlag('id', 'Tested deployment'),
  run: textFlag('id', 'Test run to add the report to (default: record a new one)'),
  name: textFlag('name', 'Name of the recorded run (default "Tests")'),
  shard: textFlag('name', 'Name of this part of the run; uploading it again replaces the part'),
  environment: textFlag('name', 'Tested environment'),
  sha: textFlag('commit', 'Tested commit'),
  repeats: {
    kind: 'enum',
    values: ['tests', 'retries'],
    optional: true,
    brief: 'What tests of one name are: each counts, or the last is what its retries came to',
  },
  fail: switchFlag('Exit with 1 when a test failed'),
} as const

type ReportFlags = FlagValues<typeof reportFlags>

async function report(
  session: Session,
  flags: ReportFlags,
  ...names: string[]
): Promise<void | { readonly exitWith: number }> {
  const parts = await Promise.all(names.map((name) => readPart(session.cwd, name)))
  const files = parts.flatMap((part) => ('file' in part ? part.file : []))
  for (const { path, format } of files) session.output.detail(`${path} is ${format}`)
  if (flags.dryRun) {
    printPlan(session, files, parts)
    return
  }
  // A run that there is learns that its results are missing. None is recorded for nothing.
  if (files.length === 0 && flags.run === undefined) assertAllRead(parts)
  const upload = await openUpload(session, flags)
  const { run, refused } = await session.progress('Uploading', () =>
    uploadParts(upload, parts, flags),
  )
  if (run !== undefined) print(session, { upload, run, files, refused })
  assertAllRead(refused, parts.length)
  const isBad = flags.fail && run !== undefined && hasFailed(run)
  return isBad ? { exitWith: exitCodes.failure } : undefined
}

function printPlan({ output }: Session, files: readonly ReportFile[], parts: readonly Part[]) {
  output.document({ files: files.map(describeFile) })
  for (const { path, format } of files) output.result(`would upload ${path} (${format})`)
  assertAllRead(parts)
}

function hasFailed({ state, failed }: TestRun): boolean {
  return state === 'failed' || state === 'errored' || (failed ?? 0) > 0
}

function print(session: Session, { upload, run, files, refused }: Uploaded): void {
  const { output } = session
  const { api, orgId } = upload
  const link = `${api.serverUrl}/organizations/${orgId}/test-runs/${run.id}`
  output.document({
    run,
    link,
    files: files.map(describeFile),
    ...(refused.length > 0 && {
      refused: refused.map(({ path, error }) => describeRejection(path, error)),
    }),
  })
  const { styles } = output
  const isGood = refused.length === 0 && (run.state === 'passed' || run.state === 'skipped')
  const mark = isGood ? styles.green('✓') : styles.red('✗')
  const sent = files.length - refused.filter(({ isRead }) => isRead).length
  output.result(`${mark} ${summaryOf(run)}  ${styles.dim(`(${countOf(sent, 'report')})`)}`)
  output.result(`  ${link}`)
  for (const warning of run.warnings) output.warn(printable(warning))
}

interface Uploaded {
  readonly upload: Upload
  readonly run: TestRun
  readonly files: readonly ReportFile[]
  readonly refused: readonly RefusedPart[]
}

/** Example: `41 passed, 1 failed, 2 skipped, 1 flaky in 63.2 s`. */
function summaryOf({ passed, failed, skipped, flaky, durationMs }: TestRun): string {
  const counts = [
    `${passed ?? 0} passed`,
    `${failed ?? 0} failed`,
    ...(skipped ? [`${skipped} skipped`] : []),
    ...(flaky ? [`${flaky} flaky`] : []),
  ].join(', ')
  return durationMs === null ? counts : `${counts} in ${(durationMs / 1000).toFixed(1)} s`
}

function describeRejection(path: string, { code, message }: CliError) {
  return { path, code, message }
}

function describeFile({ path, format, bytes }: ReportFile) {
  return { path, format, bytes: bytes.length }
}

/** Defines `signalbox report`. */
export const reportCommand = defineCommand({
  about:
    'Uploads the reports of one test run. Several files add up; uploading the same report again changes nothing. Every file is tried: each that is refused is named, the run doesn’t pass without it, and the command exits with 5. In GitHub Actions, a run that Signalbox dispatched needs no token if the job has the permission id-token: write; in GitLab CI, if the job has an ID token SIGNALBOX_ID_TOKEN whose audience is the address of the server.',
  examples: [
    'signalbox report junit.xml --deployment dep_01…',
    'signalbox report results/*.xml --environment staging --sha $GITHUB_SHA --fail',
    'signalbox report ctrf.json --run ${{ inputs.test_run_id }}',
  ],
  flags: reportFlags,
  args: {
    brief: 'JUnit XML or CTRF JSON',
    placeholder: 'file',
    minimum: 1,
  },
  run: report,
})
