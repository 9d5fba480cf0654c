import type { Declaration } from './read-file.ts'
import type { KindPlan } from './kind.ts'
import { planKind } from './plan.ts'
import type { World } from './world.ts'

/**
 * Compares a file with what is stored, kind by kind. Changes nothing.
 *
 * @throws {CliError} `invalid_file` where the file names something that is not there
 */
export async function compareFile(
  world: World,
  { members, refuse }: Declaration,
  prune: boolean,
): Promise<readonly KindPlan[]> {
  const normalized = await Promise.all(
    members.map(async ({ kind, declared }) => ({
      kind,
      declared: await Promise.all(
        declared.map(async (each) => ({
          ...each,
          fields: (await kind.normalize?.(world, each.fields)) ?? each.fields,
        })),
      ),
    })),
  )
  const violations = await Promise.all(
    normalized.map(
      async ({ kind, declared }) => (await kind.findViolations?.(world, declared)) ?? [],
    ),
  )
  if (violations.flat().length > 0) refuse(violations.flat())
  const plans: KindPlan[] = []
  for (const each of normalized) plans.push(await planKind(world, each, prune))
  return plans
}
