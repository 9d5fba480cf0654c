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
  const tokens = createTokens(tokenize(text))
  if (tokens.peek() === 'query') {
    tokens.take()
    if (tokens.peek() !== '{' && tokens.peek() !== '(') takeName(tokens)
  }
  const variables = takeVariables(tokens)
  const selections = takeSelections(tokens)
  const rest = tokens.peek()
  if (rest !== '') throw new QuerySyntaxError(`Nothing may follow the query, found "${rest}".`)
  return { variables, selections }
}

/** Reads the tokens one after another. Each is empty after the last. */
interface Tokens {
  /** Returns the next token, and leaves it there. */
  readonly peek: () => string
  readonly take: () => string
}

function createTokens(tokens: readonly string[]): Tokens {
  let at = 0
  return { peek: () => tokens[at] ?? '', take: () => tokens[at++] ?? '' }
}

function takeExactly(tokens: Tokens, expected: string): void {
  const next = tokens.take()
  if (next !== expected) throw new QuerySyntaxError(`Expected ${expected}, found "${next}".`)
}

function takeName(tokens: Tokens): string {
  const name = tokens.take()
  if (!/^[A-Za-z_]/.test(name)) throw new QuerySyntaxError(`Expected a name, found "${name}".`)
  return name
}

function takeValue(tokens: Tokens): ArgumentValue {
  const next = tokens.take()
  if (next === '$') return { variable: takeName(tokens) }
  if (next.startsWith('"')) return String(JSON.parse(next))
  if (/^-?\d/.test(next)) return Number(next)
  if (next === 'true' || next === 'false') return next === 'true'
  if (next === 'null') return null
  throw new QuerySyntaxError(`The sandbox reads no value such as "${next}".`)
}

function takeArguments(tokens: Tokens): Record<string, ArgumentValue> {
  const named: Record<string, ArgumentValue> = {}
  if (tokens.peek() !== '(') return named
  for (tokens.take(); tokens.peek() !== ')';) {
    const name = takeName(tokens)
    takeExactly(tokens, ':')
    named[name] = takeValue(tokens)
  }
  tokens.take()
  return named
}

function takeSelections(tokens: Tokens): readonly Selection[] {
  takeExactly(tokens, '{')
  const selections: Selection[] = []
  while (tokens.peek() !== '}') selections.push(takeSelection(tokens))
  tokens.take()
  if (selections.length === 0) throw new QuerySyntaxError('A selection is empty.')
  return selections
}

function takeSelection(tokens: Tokens): Selection {
  if (tokens.peek() === '...') {
    tokens.take()
    takeExactly(tokens, 'on')
    return { on: takeName(tokens), selections: takeSelections(tokens) }
  }
  const first = takeName(tokens)
  const isAlias = tokens.peek() === ':'
  if (isAlias) tokens.take()
  const name = isAlias ? takeName(tokens) : first
  const named = takeArguments(tokens)
  const selections = tokens.peek() === '{' ? takeSelections(tokens) : undefined
  return { alias: first, name, arguments: named, selections }
}

function takeVariables(tokens: Tokens): ReadonlyMap<string, boolean> {
  const variables = new Map<string, boolean>()
  if (tokens.peek() !== '(') return variables
  for (tokens.take(); tokens.peek() !== ')';) {
    takeExactly(tokens, '$')
    const name = takeName(tokens)
    takeExactly(tokens, ':')
    takeName(tokens)
    variables.set(name, tokens.peek() === '!')
    if (tokens.peek() === '!') tokens.take()
  }
  tokens.take()
  return variables
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
