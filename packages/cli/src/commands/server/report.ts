import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { TestRun } from '../../api/operations.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../../cli-context.ts'
import { openUpload, type RunFlags, type Upload } from '../../report/open-upload.ts'
import { readReportFile, type ReportFile } from '../../report/read-report-file.ts'
import type { Session } from '../../session.ts'
import { countOf } from '../../terminal/count.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { printable } from '../../terminal/printable.ts'

type ReportFlags = GlobalFlags &
  RunFlags & { readonly shard?: string | undefined; readonly fail?: boolean | undefined }

/** Matches the name of a part that the server accepts. */
const longestShard = 100

async function report(
  session: Session,
  flags: ReportFlags,
  ...names: string[]
): Promise<void | { readonly exitWith: number }> {
  const files = await Promise.all(names.map((name) => readReportFile(session.cwd, name)))
  for (const { path, format } of files) session.output.detail(`${path} is ${format}`)
  if (flags.dryRun) {
    session.output.document({ files: files.map(describeFile) })
    for (const { path, format } of files) session.output.result(`would upload ${path} (${format})`)
    return
  }
  const upload = await openUpload(session, flags)
  const run = await session.progress('Uploading', () => uploadAll(upload, files, flags.shard))
  print(session, { upload, run, files })
  const hasFailed = run.state === 'failed' || run.state === 'errored' || (run.failed ?? 0) > 0
  return flags.fail && hasFailed ? { exitWith: exitCodes.failure } : undefined
}

/** Uploads one after the other: each response states the run's result so far, and the last one all of it. */
async function uploadAll(
  { api, orgId, runId }: Upload,
  files: readonly ReportFile[],
  shard: string | undefined,
): Promise<TestRun> {
  const several = files.length > 1
  const answers: TestRun[] = []
  for (const { path, type, bytes } of files) {
    const part = several ? [shard, path].filter((text) => text !== undefined).join('/') : shard
    const answer = await api.call('uploadTestReport', {
      params: { org_id: orgId, run_id: runId },
      query: part === undefined ? {} : { shard: part.slice(-longestShard) },
      upload: { type, bytes },
    })
    answers.push(answer)
  }
  const run = answers.at(-1)
  if (run === undefined) throw new Error('Nothing was uploaded')
  return run
}

interface Uploaded {
  readonly upload: Upload
  readonly run: TestRun
  readonly files: readonly ReportFile[]
}

function print({ output }: Session, { upload, run, files }: Uploaded): void {
  const { api, orgId } = upload
  const link = `${api.serverUrl}/organizations/${orgId}/test-runs/${run.id}`
  output.document({ run, link, files: files.map(describeFile) })
  const { styles } = output
  const failed = run.failed ?? 0
  const mark = failed > 0 || run.state === 'failed' ? styles.red('✗') : styles.green('✓')
  output.result(`${mark} ${summaryOf(run)}  ${styles.dim(`(${countOf(files.length, 'report')})`)}`)
  output.result(`  ${link}`)
  for (const warning of run.warnings) output.warn(printable(warning))
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

function describeFile({ path, format, bytes }: ReportFile) {
  return { path, format, bytes: bytes.length }
}

/** Defines `signalbox report`. */
export const reportCommand = buildCommand<ReportFlags, string[], CliContext>({
  func: action(report),
  parameters: {
    flags: {
      ...globalFlags,
      deployment: textFlag('id', 'Tested deployment'),
      run: textFlag('id', 'Test run to add the report to (default: record a new one)'),
      name: textFlag('name', 'Name of the recorded run (default "Tests")'),
      shard: textFlag('name', 'Name of this part of the run; uploading it again replaces the part'),
      environment: textFlag('name', 'Tested environment'),
      sha: textFlag('commit', 'Tested commit'),
      fail: switchFlag('Exit with 1 when a test failed'),
    },
    positional: {
      kind: 'array',
      parameter: {
        brief: 'JUnit XML or CTRF JSON',
        parse: (input: string) => input,
        placeholder: 'file',
      },
      minimum: 1,
    },
  },
  docs: {
    brief: 'Upload test results',
    fullDescription: describe(
      'Uploads the reports of one test run. Several files add up; uploading the same report again changes nothing. In GitHub Actions, a run that Signalbox dispatched needs no token if the job has the permission id-token: write; in GitLab CI, if the job has an ID token SIGNALBOX_ID_TOKEN whose audience is the address of the server.',
      [
        'signalbox report junit.xml --deployment dep_01…',
        'signalbox report results/*.xml --environment staging --sha $GITHUB_SHA --fail',
        'signalbox report ctrf.json --run ${{ inputs.test_run_id }}',
      ],
    ),
  },
})
