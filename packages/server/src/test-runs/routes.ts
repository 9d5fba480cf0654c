import { deploymentEndpoints as endpoints } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../http/router.ts'
import { admitUpload, type UploadDeps } from './admit-upload.ts'
import { toEnvironmentCaller } from '../integrations/environment-caller.ts'
import { createTestRun } from './create-test-run.ts'
import { getTestRun } from './get-test-run.ts'
import { listTestRuns } from './list-test-runs.ts'
import { presentRun } from './present-run.ts'
import { recordReport, type ReportDeps } from './record-report.ts'
import { updateTestRun } from './update-test-run.ts'

/** What the endpoints of test runs ask of the service. */
export type TestRunRoutesDeps = ReportDeps & UploadDeps

const position = z.object({ createdAt: z.coerce.date(), id: z.string() })

/** Serves test runs and takes their reports. */
export function mountTestRuns(router: Router, deps: TestRunRoutesDeps): void {
  router
    .add(endpoints.createTestRun, {
      handle: (request) => createTestRun(deps, toEnvironmentCaller(request), request.body),
      present: presentRun,
    })
    .add(endpoints.listTestRuns, {
      async handle(request) {
        const { limit, deploymentId, environmentId, state } = request.query
        const after = request.readCursor(position)
        const filter = { deploymentId, environmentId, state }
        const rows = await listTestRuns(deps, toEnvironmentCaller(request), filter, {
          after,
          limit,
        })
        const items = rows.slice(0, limit)
        return { items, last: rows.length > limit ? items.at(-1) : undefined }
      },
      present: ({ items, last }, request) => ({
        items: items.map(presentRun),
        nextCursor:
          last === undefined
            ? null
            : request.writeCursor({ createdAt: last.createdAt, id: last.id }),
      }),
    })
    .add(endpoints.getTestRun, {
      handle: (request) => getTestRun(deps, toEnvironmentCaller(request), request.params.run_id),
      present: presentRun,
    })
    .add(endpoints.updateTestRun, {
      handle: (request) =>
        updateTestRun(deps, toEnvironmentCaller(request), request.params.run_id, request.body),
      present: presentRun,
    })
    .add(endpoints.uploadTestReport, {
      async handle(request) {
        const { params, requestId, ip, query } = request
        const { org_id: orgRef, run_id: runId } = params
        const authorization = request.header('authorization')
        const upload = { authorization, orgRef, runId, requestId, ip }
        const admitted = await admitUpload(deps, upload)
        return recordReport(deps, {
          ...admitted,
          runId,
          contentType: request.header('content-type'),
          // Nobody sends megabytes before it is known who sends them.
          bytes: await request.readBytes(),
          shard: query.shard,
        })
      },
      present: presentRun,
    })
}
