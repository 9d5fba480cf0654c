import { issuePipelineToken } from '../github/pipeline-identity.ts'
import type { GithubRepository, GithubRun, GithubState, RunConclusion } from '../github/state.ts'
import { renderTestReport } from './test-report.ts'

/** Describes what a repository's owner sets for its pipelines, so that they report to the product. */
export interface PipelineVariables {
  /** Where the product is. Example: `http://127.0.0.1:4400`. */
  readonly url: string
  /** The organization's id. */
  readonly organization: string
}

/** Describes the test report of a run, and where it goes. */
export interface ReportToSend {
  readonly state: GithubState
  readonly repository: GithubRepository
  readonly run: GithubRun
  readonly conclusion: RunConclusion
  readonly variables: PipelineVariables
}

const timeLimitMs = 10_000

/**
 * Uploads a run's report as its job would: to the test run that the dispatch named, with the token that GitHub made for
 * this run. Answers what came of it, as in `200` or `no connection`.
 */
export async function sendReport({ state, ...report }: ReportToSend): Promise<string> {
  const { repository, run, conclusion, variables } = report
  const { url, organization } = variables
  const testRunId = run.inputs['test_run_id'] ?? ''
  const { clock, origin } = state
  const token = issuePipelineToken({ clock, origin, repository, run, audience: url })
  const path = `/organizations/${organization}/test-runs/${testRunId}/report`
  try {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/xml' },
      body: renderTestReport(conclusion),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch {
    return 'no connection'
  }
}
