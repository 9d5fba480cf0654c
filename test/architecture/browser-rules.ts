import ts from 'typescript-5'
import { importsOf, targetPath } from './imports.ts'
import { findingAt, nodesOf, type Finding, type SourceFile } from './source-files.ts'

/** Names the part of the command line that a browser loads: the readers of exports, which the dashboard has too. */
const entries = ['packages/cli/src/importers/index.ts']

const ofNode = new Set(['Buffer', 'process', '__dirname', 'require'])

/** Uses of Node in files that a browser loads, over any number of files. Types do not count: they are erased. */
export function nodeInBrowsers(files: readonly SourceFile[]): Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const open = [...entries]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = byPath.get(path)
    if (file === undefined || reached.has(path)) continue
    reached.add(path)
    for (const { specifier, typeOnly } of importsOf(file)) {
      if (specifier.startsWith('.') && !typeOnly) open.push(targetPath(file, specifier))
    }
  }
  return [...reached].flatMap((path) => {
    const file = byPath.get(path)
    return file === undefined ? [] : nodeUses(file)
  })
}

function nodeUses(file: SourceFile): Finding[] {
  const imports = importsOf(file)
    .filter(({ specifier, typeOnly }) => specifier.startsWith('node:') && !typeOnly)
    .map(({ node, specifier }) => findingAt(file, node, `imports ${specifier}: browsers have none`))
  const globals = [...nodesOf(file.tree)]
    .filter((node) => ts.isIdentifier(node) && ofNode.has(node.text) && !isMember(node))
    .map((node) => findingAt(file, node, `uses ${node.getText(file.tree)}: browsers have none`))
  return [...imports, ...globals]
}

/** Returns whether an identifier names a member, as in `it.process` and `{ process: 1 }`. */
function isMember({ parent, ...node }: ts.Node): boolean {
  return (
    (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) &&
    parent.name.pos === node.pos
  )
}
