import ts from 'typescript-5'
import { pages } from '../../packages/contract/src/pages.ts'
import { findingAt, isTestFile, nodesOf, type Finding, type SourceFile } from './source-files.ts'

const watched = /^packages\/(?:contract|dashboard|server)\/src\//

/** Lists the addresses that the router knows: of each page, and of where a person is sent who names none. */
const known = new Set([
  '/',
  ...Object.values(pages).map(({ of, path }) => {
    if (of !== 'organization') return path
    return path === '/' ? '/$org' : `/$org${path}`
  }),
])

/** The documentation is no page of the dashboard. */
const documentation = '/docs/'

/**
 * Returns each address of the dashboard that is written by hand: a `href` that begins with `/` is made by `toHref`, and a `to` names
 * a page of `contract/src/pages.ts`.
 */
export function handwrittenAddresses(file: SourceFile): Finding[] {
  if (!watched.test(file.path) || isTestFile(file.path)) return []
  return nodesOf(file.tree).flatMap((node) => {
    const [name, value] = readNamed(node)
    const address = value === undefined ? undefined : beginningOf(value)
    if (address === undefined || !address.startsWith('/')) return []
    if (name === 'href' && !address.startsWith(documentation)) {
      return [findingAt(file, node, `${address}: let toHref write the address of a page`)]
    }
    if (name === 'to' && !known.has(address)) {
      return [findingAt(file, node, `${address}: name a page of contract/src/pages.ts`)]
    }
    return []
  })
}

/** Returns the name and the value of an attribute or a property. */
function readNamed(node: ts.Node): readonly [name: string, value: ts.Node | undefined] {
  if (ts.isPropertyAssignment(node)) return [node.name.getText(), node.initializer]
  if (!ts.isJsxAttribute(node)) return ['', undefined]
  const { initializer } = node
  const value =
    initializer !== undefined && ts.isJsxExpression(initializer)
      ? initializer.expression
      : initializer
  return [node.name.getText(), value]
}

/** Returns a text as far as it is written down; `undefined` for what is no text. */
function beginningOf(value: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(value)) return value.text
  return ts.isTemplateExpression(value) ? value.head.text : undefined
}
