import { fromStoredDefinition, type Definition, type StoredDefinition } from './definition.ts'

/** A definition as it was at a revision. */
export interface CachedSchema {
  readonly revision: number
  readonly definition: Definition
  /** Key name to sealed default, base64. */
  readonly secretDefaults: Readonly<Record<string, string>>
}

/** What a row of a schema holds; without a definition when the one in memory is of the same revision. */
export interface SchemaContent {
  readonly id: string
  readonly revision: number
  readonly definition: StoredDefinition | null
  readonly secretDefaults: Readonly<Record<string, string>> | null
}

/** Keeps the definitions read last, so that a write neither transfers nor compiles them again. */
export interface SchemaCache {
  /** The revision to ask the database to leave out; 0 when there is none. */
  knownRevision(schemaId: string): number
  /** The definition of a row. Only for committed rows: what a transaction wrote itself may yet be undone. */
  take(row: SchemaContent): CachedSchema
}

const cachedSchemasMax = 500

export function createSchemaCache(): SchemaCache {
  const schemas = new Map<string, CachedSchema>()
  return {
    knownRevision: (schemaId) => schemas.get(schemaId)?.revision ?? 0,
    take({ id, revision, definition, secretDefaults }) {
      const known = schemas.get(id)
      schemas.delete(id)
      const schema =
        known?.revision === revision ? known : readContent(revision, definition, secretDefaults)
      const oldest = schemas.keys().next().value
      if (schemas.size >= cachedSchemasMax && oldest !== undefined) schemas.delete(oldest)
      schemas.set(id, schema)
      return schema
    },
  }
}

function readContent(
  revision: number,
  definition: StoredDefinition | null,
  secretDefaults: Readonly<Record<string, string>> | null,
): CachedSchema {
  if (definition === null || secretDefaults === null) {
    throw new Error('The definition of a schema was left out that is not in memory')
  }
  return { revision, definition: fromStoredDefinition(definition), secretDefaults }
}
