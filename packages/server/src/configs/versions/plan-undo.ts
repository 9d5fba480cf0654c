import type { Tx } from '../../store/store.ts'
import { findIdsBefore } from './version-rows.ts'
import type { ChangedEnvironment } from '../values/write-values.ts'

/** Names a version that is to be current again. */
export interface RestoredFrom {
  readonly versionId: string
  /** The version that the environment is at, as the caller has seen it; `undefined`: any. */
  readonly expectedVersion: number | undefined
}

/**
 * Returns what to restore to take a write back: the versions before those that it made, as long as nobody else has
 * saved. Environments that only inherit from them follow, so they are not listed.
 */
export async function planUndo(
  tx: Tx,
  of: { readonly orgId: string; readonly schemaId: string },
  environments: readonly ChangedEnvironment[],
): Promise<RestoredFrom[]> {
  const made = environments.flatMap(({ environmentId, version }) =>
    version === undefined || version.kind === 'inherited'
      ? []
      : [{ environmentId, version: version.version }],
  )
  if (made.length === 0) return []
  const ids = await findIdsBefore(tx, of, made)
  return made.flatMap(({ environmentId, version }) => {
    const versionId = ids.get(environmentId)
    return versionId === undefined ? [] : [{ versionId, expectedVersion: version }]
  })
}
