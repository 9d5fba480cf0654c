import type { OperationId } from '@signalbox/contract/rest'
import type { Target } from './named-ids.ts'
import type { Recipe } from './request-table.ts'

const gateOf = ({ env, usr }: Target, name: string) => ({
  name,
  environmentIds: [env],
  repositories: ['made/shop'],
  mode: 'watch',
  rules: [
    { rule: 'tests', environmentId: env, withinHours: 24 },
    { rule: 'approvals', count: 1, members: [usr] },
  ],
})

const ruleOf = ({ env }: Target, pattern: string) => ({
  pattern,
  parentId: env,
  repositories: ['made/shop'],
})

/** Maps the endpoints of checks, gates, decisions, freezes and previews to the members of a valid request. */
export const gateRecipes: Partial<Record<OperationId, Recipe>> = {
  uploadCommitDefinition: ({ slug, schName }) => ({
    body: {
      repository: `${slug}/shop`,
      sha: 'b'.repeat(40),
      schema: schName,
      definition: { made: { type: 'string', tier: 'public' } },
    },
  }),
  listCommitChecks: ({ cursors }) => ({ query: { cursor: cursors['listCommitChecks'] ?? '' } }),
  getCommitCheck: () => ({}),
  listGates: ({ cursors }) => ({ query: { cursor: cursors['listGates'] ?? '' } }),
  createGate: (target) => ({ body: gateOf(target, 'made') }),
  updateGate: (target) => ({ body: { ...gateOf(target, 'changed'), revision: 1 } }),
  deleteGate: () => ({}),
  askGate: ({ envName, slug }) => ({
    body: { environment: envName, repository: `${slug}/shop`, sha: 'b'.repeat(40), run: 'made' },
  }),
  listGateDecisions: ({ env, dep, cursors }) => ({
    query: { environmentId: env, deploymentId: dep, cursor: cursors['listGateDecisions'] ?? '' },
  }),
  getGateDecision: () => ({}),
  approveGateDecision: () => ({ body: {} }),
  overrideGateDecision: () => ({ body: { comment: 'made in an emergency' } }),
  refuseGateDecision: () => ({ body: { comment: 'made in an emergency' } }),
  listFreezes: () => ({}),
  freezeEnvironment: () => ({ body: { until: '2099-01-01T00:00:00Z', reason: 'made' } }),
  endFreeze: () => ({}),
  listPreviewRules: () => ({}),
  createPreviewRule: (target) => ({ body: ruleOf(target, 'made-*') }),
  updatePreviewRule: (target) => ({ body: { ...ruleOf(target, 'changed-*'), revision: 1 } }),
  deletePreviewRule: () => ({}),
  createPreviewEnvironment: ({ slug }) => ({
    body: { repository: `${slug}/shop`, pullRequest: 7 },
  }),
  listPreviewEnvironments: () => ({}),
  deletePreviewEnvironment: () => ({}),
}
