import { Problem } from '@signalbox/contract'
import type { configMatrixEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { Tx } from '../store/store.ts'
import { getCurrentValues } from './values/current-values.ts'
import type { ConfigState } from './values/resolve-values.ts'
import { listVersionsSince, type SavedVersionRow } from './versions/version-rows.ts'

export type ConfigConflict = ResponseOf<
  typeof configMatrixEndpoints.changeConfig
>['conflicts'][number]

/** What a change of an environment was made on. */
export interface ExpectedVersion {
  readonly environmentId: string
  /** `undefined`: whatever the version is. */
  readonly expectedVersion: number | undefined
  /** What it changes; `undefined`: everything. */
  readonly keys: ReadonlySet<string> | undefined
}

/** So many of the versions that were saved meanwhile are shown. */
const shownMax = 20

/** The environments in which somebody else has saved since: who, what, and whether the same keys are meant. */
export async function findConflicts(
  tx: Tx,
  orgId: string,
  state: ConfigState,
  expected: readonly ExpectedVersion[],
): Promise<ConfigConflict[]> {
  const stale = expected.flatMap(({ environmentId, expectedVersion, keys }) => {
    const { version } = getCurrentValues(state, environmentId)
    return expectedVersion === undefined || expectedVersion === version
      ? []
      : [{ environmentId, version, expectedVersion, keys }]
  })
  if (stale.length === 0) return []
  const of = { orgId, schemaId: state.schema.id }
  const since = stale.map(({ environmentId, expectedVersion }) => {
    return { environmentId, version: expectedVersion }
  })
  const rows = Map.groupBy(
    await listVersionsSince(tx, of, since),
    ({ environmentId }) => environmentId,
  )
  return stale.map(({ keys, ...place }) => {
    const saved = rows.get(place.environmentId) ?? []
    const theirs = new Set(saved.flatMap(({ changedKeys }) => changedKeys))
    const both = [...theirs].filter((key) => keys?.has(key) ?? true)
    // Of versions that are not kept any more, or not made yet, nobody can tell what they changed.
    const isKnown = saved.length > 0 && saved.length === place.version - place.expectedVersion
    return {
      ...place,
      environment: state.tree.get(place.environmentId)?.name ?? '',
      saved: saved.slice(0, shownMax).map(present),
      keys: both.toSorted(),
      rebasable: keys !== undefined && isKnown && both.length === 0,
    }
  })
}

function present(row: SavedVersionRow): ConfigConflict['saved'][number] {
  const { id, version, author, comment, createdAt, changedKeys } = row
  const keys = [...changedKeys]
  return { versionId: id, version, author, comment, createdAt: createdAt.toISOString(), keys }
}

/** @throws {Problem} `revision_mismatch` with the conflicts, when there are some */
export function requireNoConflict(conflicts: readonly ConfigConflict[]): void {
  if (conflicts.length === 0) return
  const texts = conflicts.map(({ environment, version, expectedVersion, saved }) => {
    const names = new Set(saved.map(({ author }) => author.name))
    const who = names.size === 0 ? '' : `, saved by ${[...names].join(', ')}`
    return `${environment} is at version ${version}, not ${expectedVersion}${who}`
  })
  const detail = `${texts.join('; ')}. Read again what was changed, then repeat with the present version.`
  throw new Problem('revision_mismatch', detail, { extensions: { conflicts } })
}
