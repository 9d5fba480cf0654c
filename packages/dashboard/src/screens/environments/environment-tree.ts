interface Node {
  readonly id: string
  readonly parentId: string | null
}

/** Returns the environments that one can inherit from: neither itself nor those that inherit from it. */
export function withoutDescendants<Environment extends Node>(
  environments: readonly Environment[],
  id: string | undefined,
): readonly Environment[] {
  const parents = new Map(environments.map((one) => [one.id, one.parentId]))
  return environments.filter((one) => !isBelow(parents, one.id, id))
}

function isBelow(
  parents: ReadonlyMap<string, string | null>,
  id: string,
  ancestor: string | undefined,
): boolean {
  // The server keeps it a tree; the steps are bounded all the same.
  let at: string | null | undefined = id
  for (let step = 0; step <= parents.size && at !== null && at !== undefined; step += 1) {
    if (at === ancestor) return true
    at = parents.get(at)
  }
  return false
}
