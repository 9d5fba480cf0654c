import type { Declared } from '../kind.ts'
import type { NamedAt, World } from '../world.ts'

/** Returns the member that names a repository, out of the provider's number. A repository that is gone keeps its number. */
export async function repositoryNameOf(
  world: World,
  id: string | undefined,
): Promise<{ readonly repository?: string }> {
  if (id === undefined) return {}
  const { repositories } = await world.codehost()
  return { repository: repositories.find((each) => each.id === id)?.fullName ?? id }
}

/** Returns the member that holds the provider's number of a repository, out of its full name. */
export async function repositoryIdOf(
  world: World,
  name: unknown,
): Promise<{ readonly repositoryId?: string }> {
  if (typeof name !== 'string') return {}
  const { repositories } = await world.codehost()
  return { repositoryId: repositories.find(({ fullName }) => fullName === name)?.id ?? name }
}

/** Returns the text of a member of each resource that has it, with its place. */
export function listNamed(declared: readonly Declared[], member: string): NamedAt[] {
  return declared.flatMap(({ path, fields }) => {
    const name = fields[member]
    return typeof name === 'string' ? [{ path: [...path, member], name }] : []
  })
}
