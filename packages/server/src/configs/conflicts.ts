import { Problem } from '@signalbox/contract'
import type { configMatrixEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { Tx } from '../store/store.ts'
import { getCurrentValues } from '../config-model/current-values.ts'
import type { ConfigState } from '../config-model/resolve-values.ts'
import { listVersionsSince, type SavedVersionRow } from './versions/version-rows.ts'

/** Describes an environment in which somebody else has saved since the caller read it, as the API answers it. */
export type ConfigConflict = ResponseOf<
  typeof configMatrixEndpoints.changeConfig
>['conflicts'][number]

/** Describes the version of an environment that a change was based on. */
interface ExpectedVersion {
  readonly environmentId: string
  /** `undefined`: the change applies to any version. */
  readonly expectedVersion: number | undefined
  /** The keys that the change is about; `undefined`: all of them. */
  readonly keys: ReadonlySet<string> | undefined
}

/** A conflict lists this many of the versions saved in between, the newest ones. */
const shownMax = 20

/**
 * Returns the environments in which somebody else has saved since the expected version: the versions saved in between,
 * the keys that both changed, and whether the change can be repeated on the latest version (`rebasable`).
 */
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
    // The changed keys are unknown when a version in between is no longer kept, or when the expected one does not exist
    // yet.
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

/** Throws {Problem} `revision_mismatch` with the conflicts as an extension, when there are any. */
export function requireNoConflict(conflicts: readonly ConfigConflict[]): void {
  if (conflicts.length === 0) return
  const texts = conflicts.map(({ environment, version, expectedVersion, saved }) => {
    const names = new Set(saved.map(({ author }) => author.name))
    const who = names.size === 0 ? '' : `, saved by ${[...names].join(', ')}`
    return `${environment} is at version ${version}, not ${expectedVersion}${who}`
  })
  const detail = `${texts.join('; ')}. Read the changes, then repeat with the current version.`
  throw new Problem('revision_mismatch', detail, { extensions: { conflicts } })
}
