import type { CodehostApi } from '../../providers/codehost.ts'
import type { TestRunner } from '../test-run-deps.ts'

/** Returns a runner of tests at the code host that each organization has connected. */
export function createCodehostRunner(
  openCodehost: (orgId: string) => Promise<CodehostApi>,
): TestRunner {
  return {
    async readInterface({ orgId, repositoryExternalId, ...of }) {
      return (await openCodehost(orgId)).workflows.readInterface(repositoryExternalId, of)
    },
    async dispatch({ orgId, repositoryExternalId, ...request }) {
      return (await openCodehost(orgId)).workflows.start(repositoryExternalId, request)
    },
    async listRequestedRuns({ orgId, repositoryExternalId, ...of }) {
      return (await openCodehost(orgId)).workflows.listRequestedRuns(repositoryExternalId, of)
    },
    async readRun({ orgId, repositoryExternalId, runId }) {
      return (await openCodehost(orgId)).workflows.findRun(repositoryExternalId, runId)
    },
    async readTestReport({ orgId, repositoryExternalId, runId }) {
      return (await openCodehost(orgId)).testReports?.read(repositoryExternalId, runId)
    },
    async readDeployingReport({ orgId, repositoryExternalId, deploymentExternalId }) {
      const api = await openCodehost(orgId)
      if (api.testReports === undefined) return undefined
      const now = await api.deployments?.read?.(repositoryExternalId, deploymentExternalId)
      const runId = now?.deployment.run?.id
      if (runId === undefined) return undefined
      const report = await api.testReports.read(repositoryExternalId, runId)
      if (report === undefined) return undefined
      const run = await api.workflows.findRun(repositoryExternalId, runId)
      return { report, url: run?.url ?? null, testedSha: run?.headSha ?? null }
    },
  }
}
