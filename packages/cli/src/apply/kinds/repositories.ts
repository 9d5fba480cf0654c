import { repositoryName } from '../json-schema.ts'
import type { Kind, KindPlan, Writing } from '../kind.ts'
import { findUnknownRepositories } from '../world.ts'

/** Declares the repositories whose deployments and commits are recorded. */
export const repositoriesKind: Kind = {
  member: 'repositories',
  noun: 'repository',
  schema: {
    type: 'array',
    description: 'Repositories whose deployments and commits are recorded.',
    items: repositoryName,
    maxItems: 500,
  },
  async read(world) {
    const { repositories } = await world.codehost()
    return repositories
      .filter(({ tracked }) => tracked)
      .map(({ fullName }) => ({ key: fullName, fields: {} }))
  },
  findViolations: (world, declared) =>
    findUnknownRepositories(
      world,
      declared.map(({ path, key }) => ({ path, name: key })),
    ),
  write: (writing, plan) => track(writing, plan, 'create'),
  remove: (writing, plan) => track(writing, plan, 'delete'),
}

async function track(
  { world, done }: Writing,
  { steps }: KindPlan,
  change: 'create' | 'delete',
): Promise<void> {
  const chosen = steps.filter((step) => step.change === change)
  if (chosen.length === 0) return
  const names = new Set(chosen.map(({ key }) => key))
  const { repositories } = await world.codehost()
  const tracked = change === 'create'
  await world.api.call('updateCodehost', {
    params: { org_id: world.orgId },
    body: {
      repositories: repositories
        .filter(({ fullName }) => names.has(fullName))
        .map(({ id }) => ({ id, tracked })),
    },
  })
  for (const step of chosen) done(step)
}
