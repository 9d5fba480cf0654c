type TypeName = 'string' | 'boolean' | 'integer' | 'object' | 'array' | 'null'

/** Describes the part of JSON Schema (2020-12) that describes the file. Editors read it, and `checkValue` reads it too. */
export interface JsonSchema {
  readonly type?: TypeName | readonly TypeName[]
  readonly description?: string
  readonly const?: number
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: false | JsonSchema
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
}

/** Returns the schema of an object that has these members and no others. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

export const environmentName = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
} as const satisfies JsonSchema

/** Describes a list of environments, by their names. */
export const environmentNames = {
  type: 'array',
  items: environmentName,
  minItems: 1,
  maxItems: 50,
} as const satisfies JsonSchema

/** Describes the name that people give to a route or a webhook. */
export const displayName = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
} as const satisfies JsonSchema

/** Describes the full name of a repository. Example: `acme/shop`. */
export const repositoryName = {
  type: 'string',
  description: 'Full name of a repository, such as acme/shop.',
  minLength: 1,
  maxLength: 255,
} as const satisfies JsonSchema
