import { parser } from '@prometheus-io/lezer-promql'

/** Describes what an expression reads of one metric. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly {
    readonly label: string
    readonly op: string
    readonly value: string
  }[]
}

/** Describes a parsed expression of PromQL. */
export interface Expression {
  readonly selectors: readonly Selector[]
  /** Lists the labels of `by (…)`, which are all that an aggregation keeps; `undefined` without one. */
  readonly keeps: readonly string[] | undefined
  /** Lists the pieces that are no PromQL. */
  readonly faults: readonly string[]
}

type Node = ReturnType<typeof parser.parse>['topNode']

/** Parses an expression with the grammar of Prometheus's own editor. Variables of Grafana in brackets count as five minutes. */
export function parseExpression(text: string): Expression {
  const expression = text.replaceAll(/\[\$\w+\]/g, '[5m]')
  const words = ({ from, to }: Node) => expression.slice(from, to)
  const tree = parser.parse(expression).topNode
  const faults = descendants(tree, (node) => node.type.isError).map(
    ({ from }) =>
      `${expression.slice(Math.max(0, from - 20), from)}⟨here⟩${expression.slice(from, from + 20)}`,
  )
  const selectors = named(tree, 'VectorSelector').map((selector) => ({
    metric: named(selector, 'Identifier').map(words)[0] ?? '',
    matchers: named(selector, 'UnquotedLabelMatcher').map((matcher) => {
      const [label = '', op = '', value = ''] = children(matcher).map(words)
      return { label, op, value: value.replaceAll(/^["']|["']$/g, '') }
    }),
  }))
  const groupings = named(tree, 'GroupingLabels')
  const keeps =
    groupings.length === 0
      ? undefined
      : groupings.flatMap((each) => named(each, 'LabelName').map(words))
  return { selectors, keeps, faults }
}

function children(node: Node): Node[] {
  const found: Node[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child)
  return found
}

function descendants(node: Node, isWanted: (node: Node) => boolean): Node[] {
  return children(node).flatMap((child) => [
    ...(isWanted(child) ? [child] : []),
    ...descendants(child, isWanted),
  ])
}

const named = (node: Node, name: string) => descendants(node, (each) => each.name === name)
