import { importsOf, targetPath } from './imports.ts'
import { isTestFile, type SourceFile } from './source-files.ts'

/** Maps each node to the nodes it leads to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the files of the product with the files each imports, types included: to read a file one reads the types it uses. */
export function importGraph(files: readonly SourceFile[]): Graph {
  const product = files.filter(({ path }) => !isTestFile(path))
  const paths = new Set(product.map(({ path }) => path))
  return new Map(
    product.map((file) => [
      file.path,
      new Set(
        importsOf(file)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => targetPath(file, specifier))
          .filter((target) => paths.has(target)),
      ),
    ]),
  )
}

/** Returns the graph between the groups of its nodes. Nodes without a group are left out. */
export function groupGraph(graph: Graph, groupOf: (node: string) => string | undefined): Graph {
  const groups = new Map<string, Set<string>>()
  for (const [node, targets] of graph) {
    const from = groupOf(node)
    if (from === undefined) continue
    const reached = groups.get(from) ?? new Set()
    groups.set(from, reached)
    for (const target of targets) {
      const to = groupOf(target)
      if (to !== undefined && to !== from) reached.add(to)
    }
  }
  return groups
}

/**
 * Returns the sets of nodes that reach each other, sorted.
 * Source: R. Tarjan, Depth-first search and linear graph algorithms, 1972.
 */
export function findCycles(graph: Graph): readonly (readonly string[])[] {
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: (readonly string[])[] = []

  const visit = (node: string): number => {
    const index = lowest.size
    let low = index
    lowest.set(node, index)
    stack.push(node)
    for (const target of graph.get(node) ?? []) {
      low = Math.min(low, lowest.get(target) ?? visit(target))
    }
    lowest.set(node, low)
    if (low < index) return low
    const component = stack.splice(stack.lastIndexOf(node))
    // They are left for good: no later node is on a cycle with them.
    for (const each of component) lowest.set(each, Infinity)
    if (component.length > 1) cycles.push(component.sort())
    return Infinity
  }

  for (const node of graph.keys()) if (!lowest.has(node)) visit(node)
  return cycles.sort(([a = ''], [b = '']) => a.localeCompare(b))
}
