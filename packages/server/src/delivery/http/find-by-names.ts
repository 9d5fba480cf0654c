import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { SnapshotKey, Published } from '../cache/published.ts'
import { getReadable, isInScope, scopeForbidden, type Reader } from '../cache/reader.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'

/** Names a snapshot as people do: by organization, environment and schema. */
export interface SnapshotNames {
  readonly orgId: string
  /** Holds an id or a name. */
  readonly environment: string | undefined
  /** Holds an id or a name; may be absent when there is only one schema. */
  readonly schema: string | undefined
}

/**
 * Returns the snapshot of these names, among those that `reader` may read.
 *
 * @throws {Problem} `invalid_query`, `not_found`, `key_scope_forbidden`, `schema_required`
 */
export function getByNames<Item extends Published>(
  snapshots: SnapshotStore<Item>,
  reader: Reader,
  { orgId, environment, schema }: SnapshotNames,
): Item {
  if (environment === undefined || environment === '') {
    throw new Problem(
      'invalid_query',
      'Name the environment by its id or name, such as ?environment=production.',
    )
  }
  const named = snapshots.findInEnvironment(orgId, environment).filter(isOfSchema(schema))
  const readable = named.filter((item) => isInScope(reader, item))
  const [item, ...others] = readable
  if (item === undefined) {
    throw named.length === 0 ? notFound() : scopeForbidden()
  }
  if (others.length > 0) throw schemaRequired(readable)
  return item
}

/**
 * Returns the snapshot that `ref` names. Programs name it by its key, people by names.
 *
 * @throws {Problem} as `getReadable` and `getByNames` do.
 */
export function getItem<Item extends Published>(
  snapshots: SnapshotStore<Item>,
  reader: Reader,
  ref: SnapshotKey | SnapshotNames,
): Item {
  return typeof ref === 'string'
    ? getReadable(reader, snapshots.find(ref))
    : getByNames(snapshots, reader, ref)
}

function isOfSchema(schema: string | undefined): (item: Published) => boolean {
  if (schema === undefined || schema === '') return () => true
  const name = schema.toLowerCase()
  return (item) => item.schemaId === schema || item.schema.toLowerCase() === name
}

function schemaRequired(items: readonly Published[]): Problem {
  const schemas = items.map((item) => item.schema).toSorted()
  return new Problem(
    'schema_required',
    `The organization has several schemas. Add ?schema= with one of: ${schemas.join(', ')}. The body of an evaluation has it as "schema", and the base URL of an OFREP client ends with /schemas/ and one of them.`,
    { extensions: { schemas } },
  )
}
