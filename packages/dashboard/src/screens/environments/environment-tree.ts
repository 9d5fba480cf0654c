interface Node {
  readonly id: string
  readonly parentId: string | null
}

/** Returns the environments that this one may inherit from: neither itself nor its descendants. */
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
  // The server keeps it a tree. The loop is bounded all the same.
  let at: string | null | undefined = id
  for (let step = 0; step <= parents.size && at !== null && at !== undefined; step += 1) {
    if (at === ancestor) return true
    at = parents.get(at)
  }
  return false
}
