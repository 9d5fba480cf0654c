import type { Egress } from '../egress/create-egress.ts'
import type { OpenCodehost } from '../integrations/grants/open-provider.ts'
import type { Feature, Kit } from '../kit.ts'
import type { ContextOf } from '../providers/context.ts'
import { isAddressed, providersOfKind } from '../providers/find-provider.ts'
import { workTestRuns } from './jobs.ts'
import { createReportParser } from './reports/report-parser.ts'
import { createPipelineTokens } from './reports/verify-pipeline-token.ts'
import { mountTestRuns, type TestRunRoutesDeps } from './routes.ts'
import { createCodehostRunner } from './runs/codehost-runner.ts'
import { createSharedReads } from './workflows/share-reads.ts'
import { mountWorkflows } from './workflows/workflow-routes.ts'

/** Describes what test runs need: what reaches the code host, and who sends a report. */
export interface TestRunPorts extends Pick<
  TestRunRoutesDeps,
  'authenticate' | 'resolveOrganization' | 'findOrganizationId'
> {
  readonly openCodehost: OpenCodehost
  readonly contextOf: ContextOf
  readonly egress: Egress
}

/** Opens test runs, their reports, and starting workflows. */
export function openTestRuns(kit: Kit, ports: TestRunPorts): Feature {
  const { store, jobs, emit, publicUrl, closing, now } = kit
  const { openCodehost, contextOf, egress, authenticate, resolveOrganization } = ports
  const { findOrganizationId } = ports
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
        pipelineTokens: createPipelineTokens({
          issuers: providersOfKind('codehost')
            .filter(({ name }) => isAddressed(name, contextOf(name)))
            .flatMap(({ name, pipelineTokens }) => pipelineTokens?.(contextOf(name)) ?? []),
          audience: publicUrl,
          egress,
          now,
        }),
      })
      mountWorkflows(router, { ...deps, openCodehost, shareRead: createSharedReads() })
    },
    work: () => workTestRuns(jobs, deps),
  }
}
