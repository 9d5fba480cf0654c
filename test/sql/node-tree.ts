/** One node of PostgreSQL's tree of a query, as `pg_node_tree` prints it. Example: `{CONST :consttype 23 :constisnull false}`. */
export interface TreeNode {
  readonly tag: string
  readonly fields: ReadonlyMap<string, TreeValue>
}

/** A node, a list `(…)`, a set of numbers `(b 1 2)`, or a word. `<>` is an empty list. */
export type TreeValue = TreeNode | readonly TreeValue[] | string

const tokenPattern = /[(){}]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}"\\])+/g

/** Parses what PostgreSQL stores of a query. */
export function parseNodeTree(text: string): TreeValue {
  const tokens = text.match(tokenPattern) ?? []
  let at = 0
  const parseValue = (): TreeValue => {
    const token = tokens[at++]
    if (token === '{') return parseNode()
    if (token === '(') return parseList(')')
    if (token === '<>') return []
    return token ?? ''
  }
  const parseList = (end: string): TreeValue[] => {
    const values: TreeValue[] = []
    while (at < tokens.length && tokens[at] !== end) values.push(parseValue())
    at += 1
    return values
  }
  const parseNode = (): TreeNode => {
    const tag = tokens[at++] ?? ''
    const fields = new Map<string, TreeValue>()
    while (at < tokens.length && tokens[at] !== '}') {
      const name = (tokens[at++] ?? '').slice(1)
      const values: TreeValue[] = []
      while (at < tokens.length && tokens[at] !== '}' && !tokens[at]?.startsWith(':'))
        values.push(parseValue())
      fields.set(name, values.length === 1 ? (values[0] ?? '') : values)
    }
    at += 1
    return { tag, fields }
  }
  return parseValue()
}

/** Returns whether a value is a node. */
export function isNode(value: TreeValue | undefined): value is TreeNode {
  return typeof value === 'object' && 'tag' in value
}

/** Returns a field that holds a node. */
export function nodeAt(node: TreeNode, name: string): TreeNode | undefined {
  const value = node.fields.get(name)
  return isNode(value) ? value : undefined
}

/** Returns a field that holds a list of nodes; one alone is a list of one. */
export function nodesAt(node: TreeNode, name: string): TreeNode[] {
  const value = node.fields.get(name)
  if (isNode(value)) return [value]
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Returns a field that holds a word. Example: `true`. */
export function wordAt(node: TreeNode, name: string): string {
  const value = node.fields.get(name)
  return typeof value === 'string' ? value : ''
}

/** Returns a field that holds a number, 0 where there is none. */
export function numberAt(node: TreeNode, name: string): number {
  return Number(wordAt(node, name)) || 0
}
