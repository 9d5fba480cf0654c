import type { CodeHost, ReportedState } from '../models/code-host.ts'
import type { PipelineVariables } from './send-report.ts'

/** Describes a deployment that a pipeline reports to the product. */
export interface DeploymentToReport {
  /** Names the deployment in every report. Example: `push-3`. */
  readonly externalId: string
  readonly sha: string
  readonly ref: string
  readonly environment: string
  readonly url: string
  readonly commitMessages: readonly string[]
}

const timeLimitMs = 10_000

/**
 * Returns what reports the states of a deployment, as a pipeline does at a host that has none: each after the one before has been
 * answered. Nothing is sent without a key, and a rejection is left to the product's own pages.
 */
export function createDeploymentReports(
  deployment: DeploymentToReport,
  variables: () => PipelineVariables | undefined,
): (state: ReportedState) => void {
  let last = Promise.resolve()
  return (state) => {
    const to = variables()
    if (to?.token === undefined) return
    const { url, organization, token } = to
    last = last.then(() =>
      send(`${url}/organizations/${organization}/deployments`, token, { ...deployment, state }),
    )
  }
}

/** Reports the releases of hosts that have no deployments, oldest first. A repeat adds none. Nothing is sent without a key. */
export async function reportReleases(
  hosts: readonly Pick<CodeHost, 'releases'>[],
  origin: string,
  variables: PipelineVariables | undefined,
): Promise<void> {
  if (variables?.token === undefined) return
  const { url, organization, token } = variables
  for (const { environment, sha, message } of hosts.flatMap(({ releases }) => releases?.() ?? [])) {
    await send(`${url}/organizations/${organization}/deployments`, token, {
      externalId: `release-${sha.slice(0, 12)}-${environment}`,
      sha,
      ref: 'main',
      environment,
      url: `${origin}/shop/${environment}`,
      commitMessages: [message],
      state: 'success',
    })
  }
}

async function send(url: string, token: string, report: object): Promise<void> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ repository: 'acme/shop', ...report }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    await response.body?.cancel()
  } catch {
    // The product is not there: a pipeline goes on as well.
  }
}
