import type { GitlabPipeline, GitlabTestCase } from '../state.ts'

const suiteName = 'test'

/** Returns the test report of a pipeline, ready made. It is empty where no job declares a report. */
export function presentReport({ tests, suiteError }: GitlabPipeline) {
  const counted = countsOf(tests ?? [])
  const suites =
    tests === undefined
      ? []
      : [
          {
            name: suiteName,
            ...counted,
            suite_error: suiteError,
            test_cases: tests.map((test) => ({
              status: test.status,
              name: test.name,
              classname: test.classname,
              file: null,
              execution_time: test.executionTime,
              system_output: test.systemOutput ?? null,
              stack_trace: null,
              recent_failures: null,
              attachment_url: null,
            })),
          },
        ]
  return { ...counted, test_suites: suites }
}

/** Returns the counts of a pipeline's tests. */
export function presentSummary({ tests, jobs, suiteError }: GitlabPipeline) {
  const { total_time: time, total_count: count, ...rest } = countsOf(tests ?? [])
  const { success_count: success, failed_count: failed } = rest
  const { skipped_count: skipped, error_count: error } = rest
  return {
    total: { time, count, success, failed, skipped, error, suite_error: suiteError },
    test_suites:
      tests === undefined
        ? []
        : [
            {
              name: suiteName,
              ...countsOf(tests),
              build_ids: jobs.map(({ id }) => id),
              suite_error: suiteError,
            },
          ],
  }
}

function countsOf(tests: readonly GitlabTestCase[]) {
  const count = (status: GitlabTestCase['status']) =>
    tests.filter((test) => test.status === status).length
  return {
    total_time: tests.reduce((sum, { executionTime }) => sum + executionTime, 0),
    total_count: tests.length,
    success_count: count('success'),
    failed_count: count('failed'),
    skipped_count: count('skipped'),
    error_count: count('error'),
  }
}
