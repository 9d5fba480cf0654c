import type { OpenCodehost } from '../integrations/grants/open-provider.ts'
import type { Feature, Kit } from '../kit.ts'
import { workTestRuns } from './jobs.ts'
import { createReportParser } from './reports/report-parser.ts'
import { mountTestRuns, type TestRunRoutesDeps } from './routes.ts'
import { createCodehostRunner } from './runs/codehost-runner.ts'
import { createSharedReads } from './workflows/share-reads.ts'
import { mountWorkflows } from './workflows/workflow-routes.ts'

/** Describes what test runs need: what reaches the code host, and who sends a report. */
export interface TestRunPorts extends Pick<
  TestRunRoutesDeps,
  'authenticate' | 'resolveOrganization' | 'findOrganizationId' | 'pipelineTokens'
> {
  readonly openCodehost: OpenCodehost
}

/** Opens test runs, their reports, and starting workflows. */
export function openTestRuns(kit: Kit, ports: TestRunPorts): Feature {
  const { store, jobs, emit, closing, now } = kit
  const { openCodehost, authenticate, resolveOrganization, findOrganizationId, pipelineTokens } =
    ports
  const deps = { store, jobs, emit, runner: createCodehostRunner(openCodehost), now }
  const reports = createReportParser()
  closing.push(() => reports.close())
  return {
    mount(router) {
      mountTestRuns(router, {
        ...deps,
        reports,
        authenticate,
        resolveOrganization,
        findOrganizationId,
        pipelineTokens,
      })
      mountWorkflows(router, { ...deps, openCodehost, shareRead: createSharedReads() })
    },
    work: () => workTestRuns(jobs, deps),
  }
}
