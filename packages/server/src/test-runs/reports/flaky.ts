import type { CaseStatus } from './test-report.ts'

/** Describes the result of one test in one attempt. */
export interface AttemptedCase {
  readonly caseKey: string
  readonly sha: string | null
  readonly attempt: number
  readonly status: CaseStatus
  /** The report itself saw it pass after a failure. */
  readonly flaky: boolean
  /** Says that another deployment went live during the attempt, which therefore proves nothing. */
  readonly contaminated: boolean
}

/**
 * Returns the tests that passed and failed on the same commit: within a report, where the runner repeated them, or from one attempt
 * to the next. A failure that stays is none.
 */
export function findFlaky(cases: readonly AttemptedCase[]): Set<string> {
  const flaky = new Set<string>()
  const firstStatuses = new Map<string, 'passed' | 'failed'>()
  for (const { caseKey, sha, status, flaky: isFlaky, contaminated } of cases) {
    if (contaminated) continue
    if (isFlaky) flaky.add(caseKey)
    if (sha === null || (status !== 'passed' && status !== 'failed')) continue
    const key = `${sha} ${caseKey}`
    const before = firstStatuses.get(key) ?? status
    if (before !== status) flaky.add(caseKey)
    firstStatuses.set(key, before)
  }
  return flaky
}
