import { limits } from '@signalbox/contract'

/** Describes an environment as far as inheritance is concerned. */
export interface EnvironmentNode {
  readonly id: string
  readonly name: string
  readonly parentId: string | null
  /**
   * Lists the keys whose secrets it inherits, from its parent and from defaults. `null`: all. Anything else that is no list inherits
   * none, so that a place which forgets the column serves too little.
   */
  readonly inheritedSecrets: readonly string[] | null
  /** Says that nothing of it is published. */
  readonly isArchived: boolean
}

/** Returns whether an environment gets the secret of a key that it does not set itself. */
export function inheritsSecret(
  { inheritedSecrets }: Pick<EnvironmentNode, 'inheritedSecrets'>,
  key: string,
): boolean {
  return (
    inheritedSecrets === null || (Array.isArray(inheritedSecrets) && inheritedSecrets.includes(key))
  )
}

/** Holds the environments of an organization by id. */
export type EnvironmentTree = ReadonlyMap<string, EnvironmentNode>

/** Returns environments by id, in their order. */
export function toTree(nodes: Iterable<EnvironmentNode>): EnvironmentTree {
  return new Map([...nodes].map((node) => [node.id, node]))
}

/**
 * Returns the environment and those it inherits from, nearest first. The chain ends at a parent that is absent, and at
 * one that is in it already, so it ends for every tree.
 */
export function chainOf(tree: EnvironmentTree, environmentId: string): EnvironmentNode[] {
  const chain: EnvironmentNode[] = []
  const met = new Set<string>()
  let node = tree.get(environmentId)
  while (node !== undefined && !met.has(node.id)) {
    chain.push(node)
    met.add(node.id)
    node = node.parentId === null ? undefined : tree.get(node.parentId)
  }
  return chain
}

/** Returns the environments that inherit from this one, directly or not, parents before their children. */
export function descendantsOf(tree: EnvironmentTree, environmentId: string): EnvironmentNode[] {
  const children = Map.groupBy(tree.values(), (node) => node.parentId ?? '')
  const descendants: EnvironmentNode[] = []
  const met = new Set([environmentId])
  const queue = [environmentId]
  for (const id of queue) {
    for (const child of children.get(id) ?? []) {
      if (met.has(child.id)) continue
      met.add(child.id)
      descendants.push(child)
      queue.push(child.id)
    }
  }
  return descendants
}

/** Returns the environment with all it inherits from and all that inherit from it. */
export function familyOf(tree: EnvironmentTree, environmentId: string): EnvironmentNode[] {
  return [...chainOf(tree, environmentId), ...descendantsOf(tree, environmentId)]
}

/** Returns why `parentId` cannot be the parent of the environment, or `undefined`. */
export function findParentViolation(
  tree: EnvironmentTree,
  environmentId: string,
  parentId: string,
): string | undefined {
  const above = chainOf(tree, parentId)
  if (above.some((node) => node.id === environmentId)) {
    return 'An environment cannot inherit from itself or from one that inherits from it.'
  }
  if (above.length + heightOf(tree, environmentId) > limits.inheritanceDepth) {
    return `Environments can inherit over at most ${limits.inheritanceDepth} levels.`
  }
  return undefined
}

/** Counts the levels from the environment down to the lowest one that inherits from it; 1 without any. */
function heightOf(tree: EnvironmentTree, environmentId: string): number {
  const chains = descendantsOf(tree, environmentId).map((node) => {
    const chain = chainOf(tree, node.id)
    return chain.findIndex(({ id }) => id === environmentId) + 1
  })
  return Math.max(1, ...chains)
}
