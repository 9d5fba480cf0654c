import { renderStartableAdvice } from './startable-advice.ts'
import { toCaller, toRestrictedCaller } from '../../audit/caller.ts'
import { workflowEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import type { WorkflowInput } from '../../providers/codehosts/workflow.ts'
import type { WorkflowDispatch } from './dispatch.ts'
import { getDispatch, listDispatches } from './list-dispatches.ts'
import type { WorkflowDeps } from './workflow-deps.ts'
import { dispatchWorkflow } from './dispatch-workflow.ts'
import { listWorkflows } from './list-workflows.ts'

/** Serves the workflows of the code host, and what became of starting them. */
export function mountWorkflows(router: Router, deps: WorkflowDeps): void {
  router
    .add(endpoints.listWorkflows, {
      handle: (request) => listWorkflows(deps, toRestrictedCaller(request), request.query),
      present: ({ provider, workflows, isSyncing }) => ({
        isSyncing,
        items: workflows.map((row) => ({
          id: row.externalId,
          repositoryId: row.repositoryExternalId,
          name: row.name,
          path: row.path,
          state: row.state,
          // As long as neither its file nor an attempt has shown that it cannot.
          dispatchable: row.state === 'active' && row.dispatchable !== false,
          startableAdvice:
            row.state === 'active' && row.dispatchable === false
              ? renderStartableAdvice(provider)
              : null,
          inputs: row.inputs?.map(presentInput) ?? null,
        })),
      }),
    })
    .add(endpoints.dispatchWorkflow, {
      handle: (request) =>
        dispatchWorkflow(deps, toRestrictedCaller(request), {
          ...request.body,
          workflowId: request.params.workflow_id,
        }),
      present: ({ request: { workflowId, ref }, testRunId, dispatchId, state, started }) => ({
        workflowId,
        ref,
        state,
        runId: started?.runId ?? null,
        runUrl: started?.runUrl ?? null,
        testRunId,
        dispatchId,
      }),
    })
    .addPage(endpoints.listDispatches, {
      position: z.object({ requestedAt: z.coerce.date(), id: z.string() }),
      list: (request, page) => listDispatches(deps, toCaller(request), page),
      positionOf: ({ requestedAt, id }) => ({ requestedAt, id }),
      present: presentDispatch,
    })
    .add(endpoints.getDispatch, {
      handle: (request) => getDispatch(deps, toCaller(request), request.params.dispatch_id),
      present: presentDispatch,
    })
}

function presentInput({ isRequired: required, options, ...input }: WorkflowInput) {
  return { ...input, required, options: [...options] }
}

function presentDispatch(dispatch: WorkflowDispatch): ResponseOf<typeof endpoints.getDispatch> {
  return {
    id: dispatch.id,
    repositoryId: dispatch.repositoryExternalId,
    workflowId: dispatch.workflowId,
    ref: dispatch.ref,
    state: dispatch.state,
    reason: dispatch.reason,
    runId: dispatch.externalId,
    runUrl: dispatch.url,
    runState: dispatch.runState,
    runFinishedAt: dispatch.runFinishedAt?.toISOString() ?? null,
    requestedBy: dispatch.requestedBy,
    requestedAt: dispatch.requestedAt.toISOString(),
  }
}
