import { flagRules, importDocument } from '@signalbox/contract/rest'
import {
  toJsonSchema,
  type JsonSchema,
} from '../../packages/server/src/http/openapi/json-schema.ts'

/** Names the published schema, in `docs/reference` and below `/docs/reference` of the service. */
export const importSchemaName = 'signalbox-import-1.schema.json'

/**
 * Renders the JSON Schema of the format `signalbox-import/1`, out of the shapes that the server checks an import with. The
 * server checks the rules of each key on their own, so their shape is put in here.
 */
export function renderImportSchema(): string {
  const schemas: Record<string, JsonSchema> = {}
  const root = toJsonSchema(importDocument, schemas)
  const rules = toJsonSchema(flagRules, schemas)
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'signalbox-import/1',
    description:
      'What an importer writes: keys with their values by environment, and what it left out.',
    ...root,
    $defs: { ...schemas, ImportedKey: withRules(schemas['ImportedKey'], rules) },
  }
  const text = JSON.stringify(schema, null, 2)
  return `${text.replaceAll('"#/components/schemas/', '"#/$defs/')}\n`
}

function withRules(key: JsonSchema | undefined, rules: JsonSchema): JsonSchema {
  const values = key?.properties?.['values']
  if (key === undefined || values?.items === undefined) {
    throw new Error('The shape of an imported key has no values.')
  }
  const items = { ...values.items, properties: { ...values.items.properties, rules } }
  return { ...key, properties: { ...key.properties, values: { ...values, items } } }
}
