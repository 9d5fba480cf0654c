/** Describes one test of a run as the host shows it. */
export interface CodehostTestCase {
  readonly suite: string
  readonly name: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'other'
  readonly durationMs: number | null
  /** Says what went wrong. */
  readonly message: string | null
}

/** Describes the test results of a run as the host has them. */
export interface CodehostTestReport {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number | null
  /** Empty where there are too many to read: the sums say how many. */
  readonly cases: readonly CodehostTestCase[]
  /** Why the host could not read a report. Its tests are in none of the sums. */
  readonly unread?: string
}

/** Reads the test results of runs, at a host that keeps them. */
export interface CodehostTestReports {
  /** Reads those of a run that has ended; `undefined` where it has none. */
  read(repositoryId: string, runId: string): Promise<CodehostTestReport | undefined>
}
