import { z } from 'zod/v4'
import { developerOrKey, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { providerProblems } from '../integrations/shapes.ts'
import { author, id, page, pageQuery, time } from '../shapes.ts'

/** Describes a workflow of the code host. */
export const workflow = z
  .object({
    id: z.string(),
    repositoryId: z.string(),
    name: z.string(),
    path: z.string(),
    state: z.string(),
    /** Says whether it is active and, judging by its file or an attempt, can be started by hand. */
    dispatchable: z.boolean(),
    /** Says how it becomes one that can, as part of a sentence; `null`: it can, or it is switched off. */
    startableAdvice: z.string().nullable(),
    /** Lists the declared inputs; `null`: its file was not read, or could not be. With `repositoryId` all files are read. */
    inputs: z
      .array(
        z.object({
          name: z.string(),
          description: z.string().nullable(),
          type: z.enum(['string', 'number', 'boolean', 'choice', 'environment', 'unknown']),
          required: z.boolean(),
          default: z.string().nullable(),
          /** Lists the options of a choice. Empty for every other type. */
          options: z.array(z.string()),
        }),
      )
      .nullable(),
  })
  .meta({ id: 'Workflow' })

/**
 * Lists the states of a workflow's start. `requested`: the code host is being asked. `sent`: it named the run. `ambiguous`: it gave
 * no clear answer; the run is looked for, and never started again. `found`: its run was found later. `refused`: nothing was
 * started.
 */
export const workflowDispatchStates = [
  'requested',
  'sent',
  'ambiguous',
  'found',
  'refused',
] as const

/** Lists the states of the run that a start led to, up to its end. */
export const dispatchRunStates = [
  'queued',
  'running',
  'passed',
  'failed',
  'errored',
  'cancelled',
  'skipped',
] as const

export type WorkflowDispatchState = (typeof workflowDispatchStates)[number]

/** Describes a start of a workflow that somebody asked for and that tests no deployment: one that does is a test run. */
export const workflowDispatch = z
  .object({
    id: id('dsp'),
    /** Holds the provider's number of the repository as text. `null` while only pipelines have reported it. */
    repositoryId: z.string().nullable(),
    workflowId: z.string(),
    ref: z.string(),
    state: z.enum(workflowDispatchStates),
    /** Holds the reason of a rejection, or `run_not_found`. */
    reason: z.string().nullable(),
    runId: z.string().nullable(),
    runUrl: z.string().nullable(),
    /** Holds the state of the run as the code host reported it last. `null`: not reported yet. */
    runState: z.enum(dispatchRunStates).nullable(),
    /** Holds the end of the run. */
    runFinishedAt: time.nullable(),
    requestedBy: author,
    requestedAt: time,
  })
  .meta({ id: 'WorkflowDispatch' })

const base = '/organizations/{org_id}/integrations' as const

export const workflowEndpoints = declareEndpoints({
  tag: 'Integrations',
  topics: ['workflow_dispatch', 'integration', 'sync'],
})({
  listWorkflows: {
    method: 'GET',
    path: `${base}/codehost/workflows`,
    summary:
      'The workflows of the tracked repositories. Of more than 20, inputs are read only for the repository that is named.',
    access: viewerOrKey,
    query: z.strictObject({ repositoryId: z.string().max(200).optional() }),
    response: {
      status: 200,
      body: z.object({
        items: z.array(workflow),
        /** Says that a sync is fetching the repositories: more workflows may follow. */
        isSyncing: z.boolean(),
      }),
    },
    topics: ['integration', 'sync'],
    problems: [...providerProblems],
  },
  dispatchWorkflow: {
    method: 'POST',
    path: `${base}/codehost/workflows/{workflow_id}/dispatch`,
    summary: 'Start a workflow on a branch or tag, exactly once.',
    access: developerOrKey,
    body: z.strictObject({
      ref: z.string().min(1).max(255),
      inputs: z.record(z.string().max(100), z.string().max(1024)).optional(),
      repositoryId: z.string().max(200).optional(),
      deploymentId: id('dep').optional(),
    }),
    response: {
      status: 202,
      body: z.object({
        workflowId: z.string(),
        ref: z.string(),
        state: z.enum(workflowDispatchStates),
        runId: z.string().nullable(),
        runUrl: z.string().nullable(),
        /** Holds the id of the test run, if it tests a deployment. */
        testRunId: id('run').nullable(),
        /** Holds the id of the dispatch, if it tests none. */
        dispatchId: id('dsp').nullable(),
      }),
    },
    topics: ['workflow_dispatch', 'test_run', 'deployment'],
    problems: [...providerProblems, 'ref_not_found', 'workflow_not_dispatchable'],
  },
  listDispatches: {
    method: 'GET',
    path: `${base}/codehost/dispatches`,
    summary: 'Workflow runs that somebody started and that belong to no deployment, newest first.',
    access: viewerOrKey,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(workflowDispatch) },
    problems: ['invalid_cursor'],
  },
  getDispatch: {
    method: 'GET',
    path: `${base}/codehost/dispatches/{dispatch_id}`,
    summary: 'The outcome of starting a workflow.',
    access: viewerOrKey,
    response: { status: 200, body: workflowDispatch },
  },
})
