import { z } from 'zod'
import type {
  CodehostTestCase,
  CodehostTestReport,
  CodehostTestReports,
} from '../codehosts/test-report.ts'
import { ProviderError } from '../provider-error.ts'
import { readAnswer, type GitlabRequests } from './api-request.ts'
import { list, textOrNull } from '../codehosts/fields.ts'

/** Limits the answer with all tests, for which GitLab has no pages. */
export interface TestReportLimits {
  readonly casesMax: number
  /** Each test may have an output of its own. */
  readonly bytesMax: number
}

const defaultLimits: TestReportLimits = { casesMax: 20_000, bytesMax: 20 * 1024 * 1024 }

const count = z.number().int().nonnegative().catch(0)
const seconds = z.number().nonnegative().nullish().catch(null)

const summary = z.object({
  total: z.object({
    time: seconds,
    count,
    success: count,
    failed: count,
    skipped: count,
    error: count,
    suite_error: textOrNull,
  }),
  test_suites: list.catch([]),
})
const brokenSuite = z.object({ name: z.string(), suite_error: z.string().min(1) })

const statuses: ReadonlyMap<string, CodehostTestCase['status']> = new Map([
  ['success', 'passed'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['skipped', 'skipped'],
])

const testCase = z
  .object({
    status: z.string(),
    name: z.string().min(1),
    classname: textOrNull,
    execution_time: seconds,
    // Some runners write an object.
    system_output: textOrNull,
    stack_trace: textOrNull,
  })
  .transform((test) => ({
    suite: test.classname,
    name: test.name,
    status: statuses.get(test.status) ?? ('other' as const),
    durationMs: toMs(test.execution_time),
    message: test.system_output ?? test.stack_trace,
  }))
const suite = z.object({ name: z.string().catch(''), test_cases: list.catch([]) })
const report = z.object({ test_suites: list })

/**
 * Creates the call that reads the test report of a pipeline, which GitLab makes of the JUnit reports that its jobs declare. The sums
 * come first: they say whether there is anything to read, and how much.
 *
 * @see https://docs.gitlab.com/api/pipelines/#get-a-test-report-for-a-pipeline
 */
export function createTestReports(
  requests: Pick<GitlabRequests, 'get'>,
  at: (repositoryId: string) => string,
  { casesMax, bytesMax } = defaultLimits,
): CodehostTestReports {
  return {
    async read(repositoryId, runId) {
      const pipeline = `${at(repositoryId)}/pipelines/${encodeURIComponent(runId)}`
      const sums = await readSums(requests, pipeline)
      if (sums === undefined) return undefined
      const { passed, failed, skipped, durationMs, unread } = sums
      if (sums.count === 0 && unread === undefined) return undefined
      const cases = sums.count > casesMax ? [] : await readCases(requests, pipeline, bytesMax)
      return { passed, failed, skipped, durationMs, cases, ...(unread !== undefined && { unread }) }
    },
  }
}

async function readSums(
  { get }: Pick<GitlabRequests, 'get'>,
  pipeline: string,
): Promise<(Omit<CodehostTestReport, 'cases'> & { readonly count: number }) | undefined> {
  // A person who may read the pipeline may be kept from its tests: they belong to the repository.
  const answer = await get(`${pipeline}/test_report_summary`, { accept: [403, 404] })
  if (answer.status !== 200) return undefined
  const { total, test_suites: suites } = readAnswer(answer, summary)
  const unread = findUnread(total.suite_error, suites)
  return {
    count: total.count,
    passed: total.success,
    failed: total.failed + total.error,
    skipped: total.skipped,
    durationMs: toMs(total.time),
    ...(unread !== undefined && { unread }),
  }
}

/** Returns what GitLab says of the first job whose report it could not read. */
function findUnread(total: string | null, suites: readonly unknown[]): string | undefined {
  const [broken] = suites.flatMap((one) => brokenSuite.safeParse(one).data ?? [])
  if (broken !== undefined) return `GitLab on ${broken.name}: ${broken.suite_error}`
  return total === null || total === '' ? undefined : `GitLab: ${total}`
}

/** Returns none where the answer is too large: the sums are known without them. */
async function readCases(
  { get }: Pick<GitlabRequests, 'get'>,
  pipeline: string,
  maxBytes: number,
): Promise<readonly CodehostTestCase[]> {
  try {
    const options = { accept: [403, 404], maxBytes }
    const answer = await get(`${pipeline}/test_report`, options)
    if (answer.status !== 200) return []
    return readAnswer(answer, report).test_suites.flatMap(toCases)
  } catch (error) {
    if (error instanceof ProviderError && error.code === 'too_large') return []
    throw error
  }
}

/** A test that has not the form that is needed does not cost the others. */
function toCases(one: unknown): CodehostTestCase[] {
  const { data } = suite.safeParse(one)
  if (data === undefined) return []
  return data.test_cases.flatMap((each) => {
    const { data: read } = testCase.safeParse(each)
    return read === undefined ? [] : [{ ...read, suite: read.suite ?? data.name }]
  })
}

function toMs(time: number | null | undefined): number | null {
  return time === null || time === undefined ? null : Math.round(time * 1000)
}
