import { z } from 'zod'

/** The parts of JSON Schema 2020-12 that our declarations lead to. */
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
 * A zod schema as JSON Schema, for documents. Schemas with an id become components in `schemas` and are referred to.
 * What a caller sends is described, not what it becomes: a transformed field shows its first form.
 */
export function toJsonSchema(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const rendered = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  })
  // Through text, because the references are in strings at any depth.
  const text = JSON.stringify(rendered).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _dialect, $defs, ...own }: JsonSchema & Defined = JSON.parse(text)
  Object.assign(schemas, $defs)
  return own
}

interface Defined {
  readonly $schema?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

/** Leaves out what a reader learns nothing from: the long patterns of dates, the limits of exact numbers. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  delete schema.propertyNames
  delete schema['id']
}
