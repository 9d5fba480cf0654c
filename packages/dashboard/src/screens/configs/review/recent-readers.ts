import type { ItemOf } from '../../../api/routes.ts'

/** Describes what decides whether a key may have read something lately. */
export type ReadingKey = Pick<
  ItemOf<'GET /organizations/{org_id}/api-keys'>,
  'id' | 'name' | 'kind' | 'state' | 'environmentIds' | 'schemaIds' | 'lastUsedAt'
>

/** Names an environment, or a schema, by its id. */
export type ReadThing = { readonly environmentId: string } | { readonly schemaId: string }

const recentMs = 30 * 24 * 60 * 60 * 1000

/** Returns the keys that may read an environment or a schema and were used in the last 30 days, the latest first. */
export function findRecentReaders<Key extends ReadingKey>(
  keys: readonly Key[],
  thing: ReadThing,
  now: number,
): (Key & { readonly lastUsedAt: string })[] {
  return keys
    .flatMap((key) => {
      const { kind, state, lastUsedAt } = key
      const isRecent = lastUsedAt !== null && now - Date.parse(lastUsedAt) <= recentMs
      // A relay reads by id.
      const reads = state === 'active' && kind !== 'rly' && reaches(key, thing)
      return isRecent && reads ? [{ ...key, lastUsedAt }] : []
    })
    .toSorted((one, other) => Date.parse(other.lastUsedAt) - Date.parse(one.lastUsedAt))
}

function reaches({ environmentIds, schemaIds }: ReadingKey, thing: ReadThing): boolean {
  return 'environmentId' in thing
    ? (environmentIds?.includes(thing.environmentId) ?? true)
    : (schemaIds?.includes(thing.schemaId) ?? true)
}
