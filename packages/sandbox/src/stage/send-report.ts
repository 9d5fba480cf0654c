import type { StagedCase } from '../models/code-host.ts'
import { renderTestReport } from './test-report.ts'

/** Describes the variables of pipelines with which they report to the product. */
export interface PipelineVariables {
  /** Holds the product's address. Example: `http://127.0.0.1:4400`. */
  readonly url: string
  /** Holds the organization's id. */
  readonly organization: string
  /** Holds a server key of the organization, for reports of deployments. Left out: none are reported. */
  readonly token?: string | undefined
  /** Holds the address of a flag of the product that breaks the shop while it is on. Left out: none does. */
  readonly breakingFlag?: string | undefined
}

/** Describes the test report of a run, and its target. */
export interface ReportToSend {
  readonly testRunId: string
  readonly issueToken: (audience: string) => string
  readonly cases: readonly StagedCase[]
  readonly variables: PipelineVariables
}

const timeLimitMs = 10_000

/**
 * Uploads a run's report as its job would: to the test run of the product, with the run's OIDC token. Returns the
 * result, such as `200` or `no connection`.
 */
export async function sendReport(report: ReportToSend): Promise<string> {
  const { testRunId, issueToken, cases, variables } = report
  const { url, organization } = variables
  const path = `/organizations/${organization}/test-runs/${testRunId}/report`
  try {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${issueToken(url)}`,
        'content-type': 'application/xml',
      },
      body: renderTestReport(cases),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch {
    return 'no connection'
  }
}

/** Returns whether the flag that breaks the shop is on. Nobody can say where it cannot be read. */
export async function isShopBroken({
  token = '',
  breakingFlag,
}: Pick<PipelineVariables, 'token' | 'breakingFlag'>): Promise<boolean> {
  if (breakingFlag === undefined) return false
  try {
    const response = await fetch(breakingFlag, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null && 'value' in body && body.value === true
  } catch {
    return false
  }
}
