import type { OperationId } from '@signalbox/contract/rest'
import type { Target } from './named-ids.ts'
import type { Recipe } from './request-table.ts'

const ruleOf = ({ env }: Target, pattern: string) => ({
  pattern,
  parentId: env,
  repositories: ['made/shop'],
})

/** Maps the endpoints of previews and their rules to the members of a valid request. */
export const previewRecipes: Partial<Record<OperationId, Recipe>> = {
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
