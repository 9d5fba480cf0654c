import { z } from 'zod'

/** Describes the parts of JSON Schema 2020-12 that our declarations use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maximum?: number
}

/**
 * Converts a zod schema to JSON Schema, for documents. Schemas with an id become components in `schemas` and are
 * referenced. It describes the input: a transformed field has the type that callers send.
 */
export function toJsonSchema(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const rendered = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  })
  // Replaced in the text, because references occur at any depth.
  const text = JSON.stringify(rendered).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _dialect, $defs, ...own }: JsonSchema & Defined = JSON.parse(text)
  Object.assign(schemas, $defs)
  return own
}

interface Defined {
  readonly $schema?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

/** Removes parts that tell a reader nothing: the long patterns of dates, the limits of exact numbers. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  delete schema.propertyNames
  delete schema['id']
}
