import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { PairKey, Published } from '../cache/published.ts'
import { getReadable, isInScope, scopeForbidden, type Reader } from '../cache/reader.ts'
import type { Shelf } from '../cache/shelf.ts'

/** A snapshot as a person names it. */
export interface NamedPlace {
  readonly orgId: string
  /** Id or name. */
  readonly environment: string | undefined
  /** Id or name; may be left out when there is one to choose from. */
  readonly schema: string | undefined
}

/**
 * The item that `place` names, among those `reader` may read.
 *
 * @throws {Problem} `invalid_query`, `not_found`, `key_scope_forbidden`, `schema_required`
 */
export function getByNames<Item extends Published>(
  shelf: Shelf<Item>,
  reader: Reader,
  { orgId, environment, schema }: NamedPlace,
): Item {
  if (environment === undefined || environment === '') {
    throw new Problem(
      'invalid_query',
      'Name the environment by its id or name, as in ?environment=production.',
    )
  }
  const named = shelf.findInEnvironment(orgId, environment).filter(isOfSchema(schema))
  const readable = named.filter((item) => isInScope(reader, item))
  const [item, ...others] = readable
  if (item === undefined) {
    throw named.length === 0 ? notFound() : scopeForbidden()
  }
  if (others.length > 0) throw schemaRequired(readable)
  return item
}

/**
 * The item at `place`, which programs give by ids and people by names.
 *
 * @throws {Problem} as `getReadable` and `getByNames` do.
 */
export function getItem<Item extends Published>(
  shelf: Shelf<Item>,
  reader: Reader,
  place: PairKey | NamedPlace,
): Item {
  return typeof place === 'string'
    ? getReadable(reader, shelf.find(place))
    : getByNames(shelf, reader, place)
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
    `The organization has several schemas. Add ?schema= with one of: ${schemas.join(', ')}.`,
    { extensions: { schemas } },
  )
}
