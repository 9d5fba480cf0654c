import type { configValueEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { notFound } from '../../http/answers/problem-response.ts'
import { listBrowserState } from './browser-rows.ts'
import { reaches, requireReach, type Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { fromStoredDefinition } from '../../config-model/definition.ts'
import { toTree } from '../../config-model/environment-tree.ts'
import type { GetValues } from './get-values.ts'
import { emptyCurrentValues } from '../../config-model/current-values.ts'
import { resolveValues } from '../../config-model/resolve-values.ts'
import { createTimes, pickKeys, renderStored } from './show-values.ts'
import { readOpenValues } from '../../config-model/stored-entries.ts'

type StoredValues = ResponseOf<typeof configValueEndpoints.getConfigValues>

/**
 * Returns the values that a browser key may know, with the version that counts what browsers see. Neither the values
 * nor the names of secrets are read, so the answer cannot hold any. It leaves out who set a value, and environments out
 * of the key's reach.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`
 */
export async function getBrowserValues(
  { store }: Pick<ConfigDeps, 'store'>,
  caller: Caller,
  { schemaId, environmentId, keys }: Pick<GetValues, 'schemaId' | 'environmentId' | 'keys'>,
): Promise<StoredValues> {
  requireReach(caller, 'readValues', { schemaId, environmentId })
  const { orgId } = caller
  const rows = await store.transaction(caller.scope, (tx) =>
    listBrowserState(tx, { orgId, schemaId, environmentId }),
  )
  const own = rows.find((row) => row.environmentId === environmentId)
  if (own === undefined) throw notFound()
  const definition = fromStoredDefinition(own.definition)
  const currentValues = rows.map(({ environmentId, browserVersion, openValues }) => ({
    ...emptyCurrentValues(environmentId),
    browserVersion,
    openValues: readOpenValues(openValues),
  }))
  const resolved = resolveValues(
    {
      schema: { id: schemaId, name: own.schemaName, revision: 0, definition, secretDefaults: {} },
      tree: toTree(own.environments),
      currentValues: new Map(currentValues.map((current) => [current.environmentId, current])),
    },
    environmentId,
  )
  const times = createTimes()
  const values = [...pickKeys(definition, keys)].map(
    ([key, rule]) =>
      [key, toBrowser(caller, renderStored(rule, resolved.get(key), { times }))] as const,
  )
  return {
    schemaId,
    environmentId,
    version: own.browserVersion,
    values: Object.fromEntries(values),
  }
}

/** A browser key is public, so people's names and the conditions of rules are left out. */
function toBrowser(
  { environmentIds }: Caller,
  { inheritedFrom, rules: _rules, ...stored }: StoredValues['values'][string],
): StoredValues['values'][string] {
  const isKnown = inheritedFrom !== undefined && reaches(environmentIds, inheritedFrom)
  return { ...stored, ...(isKnown ? { inheritedFrom } : {}), updatedBy: null }
}
