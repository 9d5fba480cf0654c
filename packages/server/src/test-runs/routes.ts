import { toRestrictedCaller } from '../audit/caller.ts'
import { testRunEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import { authorizeUpload, type UploadDeps } from './reports/authorize-upload.ts'
import { createTestRun } from './runs/create-test-run.ts'
import { getTestRun } from './runs/get-test-run.ts'
import { listTestRuns } from './runs/list-test-runs.ts'
import { presentRun } from './runs/present-run.ts'
import { recordReport, type ReportDeps } from './reports/record-report.ts'
import { updateTestRun } from './runs/update-test-run.ts'

/** Describes what the endpoints of test runs work with. */
export type TestRunRoutesDeps = ReportDeps & UploadDeps

/** Mounts the endpoints of test runs and their reports. */
export function mountTestRuns(router: Router, deps: TestRunRoutesDeps): void {
  router
    .add(endpoints.createTestRun, {
      handle: (request) => createTestRun(deps, toRestrictedCaller(request), request.body),
      present: presentRun,
    })
    .addPage(endpoints.listTestRuns, {
      position: z.object({ createdAt: z.coerce.date(), id: z.string() }),
      list(request, page) {
        const { deploymentId, environmentId, repository, state } = request.query
        const filter = { deploymentId, environmentId, repository, state }
        return listTestRuns(deps, toRestrictedCaller(request), filter, page)
      },
      positionOf: ({ createdAt, id }) => ({ createdAt, id }),
      present: presentRun,
    })
    .add(endpoints.getTestRun, {
      handle: (request) => getTestRun(deps, toRestrictedCaller(request), request.params.run_id),
      present: presentRun,
    })
    .add(endpoints.updateTestRun, {
      handle: (request) =>
        updateTestRun(deps, toRestrictedCaller(request), request.params.run_id, request.body),
      present: presentRun,
    })
    .add(endpoints.uploadTestReport, {
      async handle(request) {
        const { params, requestId, ip, query } = request
        const { org_id: orgRef, run_id: runId } = params
        const authorization = request.header('authorization')
        const upload = { authorization, orgRef, runId, requestId, ip }
        const authorized = await request.checkSender((beforeLookup) =>
          authorizeUpload(deps, { ...upload, beforeLookup }),
        )
        return recordReport(deps, {
          ...authorized,
          runId,
          contentType: request.header('content-type'),
          // The body is read only after its sender is known.
          readBytes: request.readBytes,
          ...query,
        })
      },
      present: presentRun,
    })
}
