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
export const changeRequestRecipes: Partial<Record<OperationId, Recipe>> = {
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
