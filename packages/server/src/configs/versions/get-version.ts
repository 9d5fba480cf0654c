import { may, Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { findState } from '../values/current-rows.ts'
import { resolveValues } from '../../config-model/resolve-values.ts'
import { openText, valueAddress } from '../../config-model/sealed-secrets.ts'
import { diffVersions, rewind } from './visible-version.ts'
import type { ValueChange } from '../../config-model/value-changes.ts'
import {
  findIdBefore,
  findVersionRow,
  listNextChanges,
  type VersionContentRow,
  type VersionRow,
} from './version-rows.ts'

/** Describes a version with its difference to another one. */
interface ShownVersion {
  readonly version: VersionRow
  /** The id of the version it is compared with; `null` for the first, and when the one before is no longer kept. */
  readonly against: string | null
  readonly changes: readonly ValueChange[]
}

/**
 * Returns a version with what it changed, or with its difference to `against`, which may be of another environment.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `conflict` when the two are of different schemas, `sealed`
 */
export async function getVersion(
  deps: ConfigDeps,
  caller: Caller,
  { versionId, against }: { readonly versionId: string; readonly against: string | undefined },
): Promise<ShownVersion> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const version = await getReached(tx, caller, versionId)
    if (against === undefined) {
      const before = await findIdBefore(tx, orgId, version)
      return { version, against: before ?? null, changes: version.changes }
    }
    const other = await getComparable(tx, caller, version, against)
    const changes = await diff(deps, tx, caller, { version, other })
    return { version, against: other.id, changes }
  })
}

/** Returns a version that the caller reaches, with its content. */
async function getReached(tx: Tx, caller: Caller, versionId: string): Promise<VersionContentRow> {
  const version = await findVersionRow(tx, caller.orgId, versionId)
  if (version === undefined) throw notFound()
  requireReach(caller, 'readValues', version)
  return version
}

async function getComparable(
  tx: Tx,
  caller: Caller,
  { schemaId }: VersionContentRow,
  against: string,
): Promise<VersionContentRow> {
  const other = await getReached(tx, caller, against)
  if (other.schemaId === schemaId) return other
  const detail = 'The two versions belong to different schemas. Compare versions of one schema.'
  throw new Problem('conflict', detail)
}

interface Pair {
  readonly version: VersionContentRow
  readonly other: VersionContentRow
}

async function diff(
  { keys, schemas }: ConfigDeps,
  tx: Tx,
  { orgId, permissions }: Caller,
  { version, other }: Pair,
): Promise<ValueChange[]> {
  const { schemaId } = version
  const environmentIds = [version.environmentId, other.environmentId]
  const state = await findState(tx, schemas, { orgId, schemaId, environmentIds })
  if (state === undefined) throw notFound()
  // The changes are read after the state. A write in between is undone with them, or never seen.
  const visibleAt = async (of: VersionContentRow) => {
    const resolved = resolveValues(state, of.environmentId)
    const { definition } = state.schema
    return rewind({ definition, resolved, tree: state.tree }, await listNextChanges(tx, orgId, of))
  }
  const [from, to] = [await visibleAt(other), await visibleAt(version)]
  const sealer = await keys.getSealer(tx, orgId)
  const isComparable =
    [version, other].every((of) => may(permissions, 'readSecrets', of)) ||
    ![version, other].some((of) => may(permissions, 'writeValues', of))
  return diffVersions(from, to, (key) => {
    // Somebody who writes a guess and may not read the secret would find out whether it is right.
    if (!isComparable) return false
    const texts = [other, version].map((of) => openOwn(sealer, orgId, of, key))
    return texts[0] !== undefined && texts[0] === texts[1]
  })
}

/** Returns the text of a secret that the environment set itself at a version, or `undefined`. */
function openOwn(
  sealer: Sealer,
  orgId: string,
  of: VersionContentRow,
  key: string,
): string | undefined {
  const sealed = of.secret[key]
  return sealed === undefined
    ? undefined
    : openText(sealer, valueAddress({ orgId, ...of, key }), sealed)
}
