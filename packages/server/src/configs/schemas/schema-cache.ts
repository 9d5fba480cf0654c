import {
  fromStoredDefinition,
  type Definition,
  type StoredDefinition,
} from '../../config-model/definition.ts'

/** Holds the definition of a schema at a revision. */
interface CachedSchema {
  readonly revision: number
  readonly definition: Definition
  /** Key name to sealed default, base64. */
  readonly secretDefaults: Readonly<Record<string, string>>
}

/** Describes a schema as a query returns it, without a definition when the cached one has the same revision. */
interface SchemaContent {
  readonly id: string
  readonly revision: number
  readonly definition: StoredDefinition | null
  readonly secretDefaults: Readonly<Record<string, string>> | null
}

/** Keeps the definitions that were read last, so that a write neither transfers nor parses them again. */
export interface SchemaCache {
  /** Returns the cached revision, whose definition the database need not send; 0 when there is none. */
  knownRevision(schemaId: string): number
  /**
   * Returns the definition of a row and caches it. Pass committed rows only: what this transaction wrote may be undone.
   */
  take(row: SchemaContent): CachedSchema
}

const cachedSchemasMax = 500

/** Creates a cache of the 500 schemas used last. */
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
    throw new Error('A definition was left out, but the schema is not in memory')
  }
  return { revision, definition: fromStoredDefinition(definition), secretDefaults }
}
