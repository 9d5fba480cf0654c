import { integrationEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import { toEnvironmentCaller } from '../integrations/environment-caller.ts'
import type { WorkflowDeps } from './workflow-deps.ts'
import { dispatchWorkflow } from './dispatch-workflow.ts'
import { listWorkflows } from './list-workflows.ts'

/** Serves the workflows of the code host. */
export function mountWorkflows(router: Router, deps: WorkflowDeps): void {
  router
    .add(endpoints.listWorkflows, {
      handle: (request) => listWorkflows(deps, toEnvironmentCaller(request), request.query),
      present: (rows) => ({
        items: rows.map((row) => ({
          id: row.externalId,
          repositoryId: row.repositoryExternalId,
          name: row.name,
          path: row.path,
          state: row.state,
          // Only an attempt shows that it cannot be started by hand.
          dispatchable: row.state === 'active' && row.dispatchable !== false,
        })),
      }),
    })
    .add(endpoints.dispatchWorkflow, {
      handle: (request) =>
        dispatchWorkflow(deps, toEnvironmentCaller(request), {
          ...request.body,
          workflowId: request.params.workflow_id,
        }),
      present: ({ request: { workflowId, ref }, testRunId, started }) => ({
        workflowId,
        ref,
        runId: started?.runId ?? null,
        runUrl: started?.runUrl ?? null,
        testRunId,
      }),
    })
}
