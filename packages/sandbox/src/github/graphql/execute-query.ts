import type { ArgumentValue, FieldSelection, ParsedQuery, Selection } from './parse-query.ts'

/** Describes an object that is asked for its fields: a value, or a function of the arguments. It names its own type. */
export type GraphqlObject = Readonly<Record<string, unknown>> & { readonly __typename: string }

/** Answers a field with `null`, and the reason beside it. */
export class RejectedFieldError extends Error {
  /** Names the kind of the reason, as GitHub does. Example: `NOT_FOUND`. */
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

/** Refuses a whole query that asks for what a type does not have. */
export class QueryInvalid extends Error {}

/** Describes why a field is `null`. */
export interface FieldError {
  readonly type: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Holds what a query found, and why some of it is `null`. */
export interface QueryResult {
  readonly data: Readonly<Record<string, unknown>>
  readonly errors: readonly FieldError[]
}

type Variables = Readonly<Record<string, unknown>>

/**
 * Executes a query on an object, in the order of its fields.
 *
 * @throws {QueryInvalid} for a field, a variable or a selection that is not there.
 */
export function executeQuery(
  query: ParsedQuery,
  root: GraphqlObject,
  variables: Variables,
): QueryResult {
  for (const [name, isRequired] of query.variables) {
    if (isRequired && (variables[name] ?? null) === null) {
      throw new QueryInvalid(`Variable $${name} was provided invalid value`)
    }
  }
  const errors: FieldError[] = []
  const readObject = (
    object: GraphqlObject,
    selections: readonly Selection[],
    path: readonly (string | number)[],
  ): Record<string, unknown> => {
    const read: Record<string, unknown> = {}
    for (const selection of selections) {
      if ('on' in selection) {
        if (selection.on !== typeOf(object)) continue
        Object.assign(read, readObject(object, selection.selections, path))
      } else {
        read[selection.alias] = readField(object, selection, [...path, selection.alias])
      }
    }
    return read
  }
  const readField = (
    object: GraphqlObject,
    field: FieldSelection,
    path: readonly (string | number)[],
  ): unknown => {
    if (!Object.hasOwn(object, field.name)) {
      throw new QueryInvalid(`Field '${field.name}' doesn't exist on type '${typeOf(object)}'`)
    }
    try {
      return readValue(valueOf(object, field, argumentsOf(query, field, variables)), field, path)
    } catch (error) {
      if (!(error instanceof RejectedFieldError)) throw error
      errors.push({ type: error.type, path, message: error.message })
      return null
    }
  }
  const readValue = (
    value: unknown,
    field: FieldSelection,
    path: readonly (string | number)[],
  ): unknown => {
    if (value === null || value === undefined) return null
    if (Array.isArray(value)) {
      return value.map((item: unknown, at) => readValue(item, field, [...path, at]))
    }
    if (isObject(value) !== (field.selections !== undefined)) {
      throw new QueryInvalid(`The selection of '${field.name}' does not fit its type`)
    }
    return isObject(value) ? readObject(value, field.selections ?? [], path) : value
  }
  return { data: readObject(root, query.selections, []), errors }
}

function typeOf({ __typename: type }: GraphqlObject): string {
  return type
}

function valueOf(
  object: GraphqlObject,
  field: FieldSelection,
  named: Readonly<Record<string, unknown>>,
): unknown {
  const value = object[field.name]
  return typeof value === 'function' ? Reflect.apply(value, object, [named]) : value
}

function argumentsOf(
  query: ParsedQuery,
  field: FieldSelection,
  variables: Variables,
): Record<string, unknown> {
  const valueOfArgument = (value: ArgumentValue): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (!query.variables.has(value.variable)) {
      throw new QueryInvalid(`Variable $${value.variable} is used but not declared`)
    }
    return variables[value.variable]
  }
  return Object.fromEntries(
    Object.entries(field.arguments).map(([name, value]) => [name, valueOfArgument(value)]),
  )
}

function isObject(value: unknown): value is GraphqlObject {
  return typeof value === 'object' && value !== null && '__typename' in value
}
