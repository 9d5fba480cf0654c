/** Describes a value in a query: a literal, or what a variable holds. */
export type ArgumentValue = string | number | boolean | null | { readonly variable: string }

/** Describes what a query selects of an object. */
export type Selection = FieldSelection | TypeSelection

/** Describes a field that is selected, under its own name or another. */
export interface FieldSelection {
  readonly alias: string
  readonly name: string
  readonly arguments: Readonly<Record<string, ArgumentValue>>
  /** `undefined`: the field is a value without parts. */
  readonly selections: readonly Selection[] | undefined
}

/** Describes what is selected only where an object is of a type. */
export interface TypeSelection {
  readonly on: string
  readonly selections: readonly Selection[]
}

/** Describes a query. Example: `query ($name: String!) { … }`. */
export interface ParsedQuery {
  /** Maps the name of a variable to whether it is required. */
  readonly variables: ReadonlyMap<string, boolean>
  readonly selections: readonly Selection[]
}

/** Refuses what is no query, or uses a part of GraphQL that the sandbox has not. */
export class QuerySyntaxError extends Error {}

/** Matches the next token and what means nothing before it: spaces, commas, comments. */
const token =
  /[\s,]*(?:#[^\n]*[\s,]*)*(\.\.\.|[!$():{}[\]=]|"(?:[^"\\\n]|\\.)*"|-?\d+|[A-Za-z_]\w*|$)/y

/**
 * Parses one query with variables, aliases, arguments and inline fragments. Mutations, named fragments and directives are refused.
 *
 * @throws {QuerySyntaxError}
 */
export function parseQuery(text: string): ParsedQuery {
  const tokens = tokenize(text)
  let at = 0
  const peek = () => tokens[at] ?? ''
  const take = () => tokens[at++] ?? ''
  const expect = (expected: string) => {
    const next = take()
    if (next !== expected) throw new QuerySyntaxError(`Expected ${expected}, found "${next}".`)
  }
  const takeName = () => {
    const name = take()
    if (!/^[A-Za-z_]/.test(name)) throw new QuerySyntaxError(`Expected a name, found "${name}".`)
    return name
  }
  const takeValue = (): ArgumentValue => {
    const next = take()
    if (next === '$') return { variable: takeName() }
    if (next.startsWith('"')) return String(JSON.parse(next))
    if (/^-?\d/.test(next)) return Number(next)
    if (next === 'true' || next === 'false') return next === 'true'
    if (next === 'null') return null
    throw new QuerySyntaxError(`The sandbox reads no value such as "${next}".`)
  }
  const takeArguments = () => {
    const named: Record<string, ArgumentValue> = {}
    if (peek() !== '(') return named
    for (take(); peek() !== ')';) {
      const name = takeName()
      expect(':')
      named[name] = takeValue()
    }
    take()
    return named
  }
  const takeSelections = (): readonly Selection[] => {
    expect('{')
    const selections: Selection[] = []
    while (peek() !== '}') selections.push(takeSelection())
    take()
    if (selections.length === 0) throw new QuerySyntaxError('A selection is empty.')
    return selections
  }
  const takeSelection = (): Selection => {
    if (peek() === '...') {
      take()
      expect('on')
      return { on: takeName(), selections: takeSelections() }
    }
    const first = takeName()
    const isAlias = peek() === ':'
    if (isAlias) take()
    const name = isAlias ? takeName() : first
    const named = takeArguments()
    const selections = peek() === '{' ? takeSelections() : undefined
    return { alias: first, name, arguments: named, selections }
  }
  const takeVariables = () => {
    const variables = new Map<string, boolean>()
    if (peek() !== '(') return variables
    for (take(); peek() !== ')';) {
      expect('$')
      const name = takeName()
      expect(':')
      takeName()
      variables.set(name, peek() === '!')
      if (peek() === '!') take()
    }
    take()
    return variables
  }
  if (peek() === 'query') {
    take()
    if (peek() !== '{' && peek() !== '(') takeName()
  }
  const variables = takeVariables()
  const selections = takeSelections()
  if (peek() !== '') throw new QuerySyntaxError(`Nothing may follow the query, found "${peek()}".`)
  return { variables, selections }
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  for (;;) {
    const match = token.exec(text)
    if (match === null) throw new QuerySyntaxError('The query has a character that no query has.')
    const [, next = ''] = match
    if (next === '') return tokens
    tokens.push(next)
  }
}
