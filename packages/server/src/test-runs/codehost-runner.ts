import type { CodehostApi } from '../providers/codehost.ts'
import type { TestRunner } from './test-run-deps.ts'

/** Runs tests at whatever code host an organization has connected. */
export function createCodehostRunner(
  openCodehost: (orgId: string) => Promise<CodehostApi>,
): TestRunner {
  return {
    async readDeclaration({ orgId, repositoryExternalId, ...of }) {
      return (await openCodehost(orgId)).readWorkflow(repositoryExternalId, of)
    },
    async dispatch({ orgId, repositoryExternalId, ...of }) {
      return (await openCodehost(orgId)).startWorkflow(repositoryExternalId, of)
    },
    async findRuns({ orgId, repositoryExternalId, ...of }) {
      return (await openCodehost(orgId)).listRuns(repositoryExternalId, of)
    },
    async readRun({ orgId, repositoryExternalId, runId }) {
      return (await openCodehost(orgId)).getRun(repositoryExternalId, runId)
    },
  }
}
