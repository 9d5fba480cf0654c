import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { SnapshotKey, Published } from '../cache/published.ts'
import { getReadable, isInScope, scopeForbidden, type Reader } from '../cache/reader.ts'
import type { EndedSnapshot, SnapshotStore } from '../cache/snapshot-store.ts'

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
 * @throws {Problem} `invalid_query`, `not_found`, `environment_archived`, `key_scope_forbidden`, `schema_required`
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
    if (named.length > 0) throw scopeForbidden()
    const ended = snapshots.findEndedInEnvironment(orgId, environment)
    throw ended !== undefined && isInScope(reader, ended) ? archived(ended) : notFound()
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
    ? getCurrent(snapshots, reader, ref)
    : getByNames(snapshots, reader, ref)
}

/**
 * Returns the current snapshot of a key if `reader` may read it.
 *
 * @throws {Problem} as `getReadable`, and `environment_archived` for one of a preview that has ended
 */
export function getCurrent<Item extends Published>(
  snapshots: SnapshotStore<Item>,
  reader: Reader,
  snapshotKey: SnapshotKey,
): Item {
  const item = snapshots.find(snapshotKey)
  const ended = item === undefined ? snapshots.findEnded(snapshotKey) : undefined
  if (ended === undefined) return getReadable(reader, item)
  getReadable(reader, ended)
  throw archived(ended)
}

function archived({ ended }: EndedSnapshot): Problem {
  return new Problem('environment_archived', ended)
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
