import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from '../../../../../../sandbox/src/models/graphql.ts'

/** Maps `Issue.title` to `String!`, `Query.issue(id)` to `String!`, and `PaginationOrderBy.createdAt` to nothing. */
export type DescribedFields = ReadonlyMap<string, string>

/** Describes each field, argument and value of a schema, with its type as GraphQL writes it. */
export function describeFields(schema: GraphQLSchema): DescribedFields {
  const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type))
  return new Map(types.flatMap(describeType))
}

function describeType(type: GraphQLNamedType): (readonly [name: string, type: string])[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => [`${type.name}.${name}`, ''])
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => [
      `${type.name}.${field.name}`,
      String(field.type),
    ])
  }
  if (!isObjectType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => {
    const name = `${type.name}.${field.name}`
    const args = field.args.map((one) => [`${name}(${one.name})`, String(one.type)] as const)
    return [[name, String(field.type)] as const, ...args]
  })
}

/** Lists what a pretended schema says otherwise than the published one, a sentence each. What it leaves out is no objection. */
export function compareFields(
  pretended: DescribedFields,
  published: DescribedFields,
): readonly string[] {
  return [...pretended].flatMap(([field, type]) => {
    const right = published.get(field)
    if (right === undefined) return [`${field} is not published`]
    return right === type ? [] : [`${field} is ${right}, and not ${type}`]
  })
}

/** Writes a query of every field of a schema. Fields with arguments that must be set get those of `required`. */
export function queryEverything(
  schema: GraphQLSchema,
  required: Readonly<Record<string, string>>,
): string {
  const select = (name: string): string => {
    const type = schema.getType(name)
    if (!isObjectType(type)) return ''
    const fields = Object.values(type.getFields()).map(
      (field) =>
        `${field.name}${required[field.name] ?? ''}${select(getNamedType(field.type).name)}`,
    )
    return ` { ${fields.join(' ')} }`
  }
  return `query${select('Query')}`
}
