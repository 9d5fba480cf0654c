import type { OperationId } from '@signalbox/contract/rest'
import type { Target } from './named-ids.ts'
import type { Recipe } from './request-table.ts'

const requestedChange = ({ sch, env }: Target, greeting: string) => ({
  title: 'made',
  operation: {
    kind: 'values',
    body: { schemaId: sch, changes: [{ environmentId: env, set: { greeting } }] },
  },
})

/** Maps the endpoints of change requests to the members of a valid request. */
const changeRequestRecipes: Partial<Record<OperationId, Recipe>> = {
  createChangeRequest: (target) => ({ body: requestedChange(target, 'asked') }),
  listChangeRequests: ({ env, cursors }) => ({
    query: { environment: env, cursor: cursors['listChangeRequests'] ?? '' },
  }),
  getChangeRequest: () => ({}),
  getChangeRequestEffects: () => ({}),
  reviseChangeRequest: (target) => ({ body: requestedChange(target, 'revised') }),
  reviewChangeRequest: () => ({ body: { revision: 1, verdict: 'comment' } }),
  applyChangeRequest: () => ({}),
  scheduleChangeRequest: () => ({ body: { applyAt: null } }),
  withdrawChangeRequest: () => ({}),
  overrideChangeRequest: () => ({ body: { comment: 'made in an emergency' } }),
  acknowledgeChangeRequest: () => ({}),
}

/** Maps the endpoints of proofs and signals to the members of a valid request. */
const proofRecipes: Partial<Record<OperationId, Recipe>> = {
  listProofs: ({ sch, env, ver, cursors }) => ({
    query: { schema: sch, environment: env, version: ver, cursor: cursors['listProofs'] ?? '' },
  }),
  getProof: () => ({}),
  stopProof: () => ({ body: { as: 'tell' } }),
  createSignal: () => ({ body: { name: 'made', spec: { kind: 'alert' } } }),
  listSignals: ({ cursors }) => ({ query: { cursor: cursors['listSignals'] ?? '' } }),
  getSignal: () => ({}),
  updateSignal: () => ({ body: { name: 'renamed' } }),
  deleteSignal: () => ({}),
  testSignal: ({ env, sch }) => ({ body: { environmentId: env, schemaId: sch } }),
}

const steps = [{ percent: 5, holdMinutes: 43_200 }]

/** Maps the endpoints of rollout plans to the members of a valid request. */
const planRecipes: Partial<Record<OperationId, Recipe>> = {
  createRolloutPlan: ({ sch, env }) => ({
    body: { schemaId: sch, environmentId: env, flag: 'beta', steps },
  }),
  listRolloutPlans: ({ sch, env, cursors }) => ({
    query: { schema: sch, environment: env, cursor: cursors['listRolloutPlans'] ?? '' },
  }),
  getRolloutPlan: () => ({}),
  pauseRolloutPlan: () => ({}),
  resumeRolloutPlan: () => ({}),
  advanceRolloutPlan: () => ({}),
  returnRolloutPlan: () => ({}),
  stopRolloutPlan: () => ({}),
  restoreRolloutPlan: () => ({}),
  createReleaseTemplate: () => ({ body: { name: 'made', steps } }),
  listReleaseTemplates: ({ cursors }) => ({
    query: { cursor: cursors['listReleaseTemplates'] ?? '' },
  }),
  deleteReleaseTemplate: () => ({}),
}

/** Maps the endpoints of changes that wait, are watched or roll out to the members of a valid request. */
export const changeRecipes = { ...changeRequestRecipes, ...proofRecipes, ...planRecipes }
