import { Problem } from '@signalbox/contract'
import { notFound } from '../http/problem-response.ts'
import type { Tx } from '../store/store.ts'
import type { Sealer } from '../vault/organization-keys.ts'
import { requireReach, type Caller } from './caller.ts'
import type { ConfigDeps } from './config-deps.ts'
import { fromStoredDefinition, type Definition } from './definition.ts'
import { openText } from './edit-head.ts'
import { findSchemaRow } from './schema-rows.ts'
import { valuePlace } from './sealed-place.ts'
import { diffContents, emptyContent, type ValueChange } from './value-changes.ts'
import {
  findVersionByNumber,
  findVersionRow,
  type VersionContentRow,
  type VersionRow,
} from './version-rows.ts'

export interface ShownVersion {
  readonly version: VersionRow
  /** The version it is compared with; `null` for the first, and when the one before is not kept any more. */
  readonly against: string | null
  readonly changes: readonly ValueChange[]
}

/**
 * A version with what it changed, or with its difference to `against`, which may be of another environment.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `conflict` when the two are of different schemas, `sealed`
 */
export async function getVersion(
  { store, keys }: ConfigDeps,
  caller: Caller,
  { versionId, against }: { readonly versionId: string; readonly against: string | undefined },
): Promise<ShownVersion> {
  const { orgId } = caller
  return store.transaction(caller.scope, async (tx) => {
    const version = await getReached(tx, caller, versionId)
    const schema = await findSchemaRow(tx, orgId, version.schemaId)
    if (schema === undefined) throw notFound()
    const other = await findOther(tx, caller, version, against)
    const sealer = await keys.getSealer(tx, orgId)
    const definition = fromStoredDefinition(schema.definition)
    const comparison = { orgId, definition, sealer, version, other }
    const changes = against === undefined ? showOwn(comparison) : diff(comparison)
    return { version, against: other?.id ?? null, changes }
  })
}

/** A version that the caller reaches, with its content. */
export async function getReached(
  tx: Tx,
  caller: Caller,
  versionId: string,
): Promise<VersionContentRow> {
  const version = await findVersionRow(tx, caller.orgId, versionId)
  if (version === undefined) throw notFound()
  requireReach(caller, version)
  return version
}

async function findOther(
  tx: Tx,
  caller: Caller,
  version: VersionContentRow,
  against: string | undefined,
): Promise<VersionContentRow | undefined> {
  if (against === undefined) {
    return findVersionByNumber(tx, caller.orgId, { ...version, version: version.version - 1 })
  }
  const other = await getReached(tx, caller, against)
  if (other.schemaId === version.schemaId) return other
  const detail = 'The two versions are of different schemas. Compare versions of one schema.'
  throw new Problem('conflict', detail)
}

interface Comparison {
  readonly orgId: string
  readonly definition: Definition
  readonly sealer: Sealer
  readonly version: VersionContentRow
  readonly other: VersionContentRow | undefined
}

function diff({ orgId, definition, sealer, version, other }: Comparison): ValueChange[] {
  const open = (of: VersionContentRow, key: string, sealed: string) =>
    openText(sealer, valuePlace({ orgId, ...of, key }), sealed)
  return diffContents({
    definition,
    before: other ?? emptyContent,
    after: version,
    sameSecret: (key, before, after) =>
      other !== undefined && open(other, key, before) === open(version, key, after),
  })
}

/**
 * What the version is recorded to have changed, with values where the environment set them itself. What it inherited
 * or what a schema brought has names only.
 */
function showOwn(comparison: Comparison): ValueChange[] {
  const { version, other } = comparison
  const isKnown = other !== undefined || version.version === 1
  const own = new Map(isKnown ? diff(comparison).map((change) => [change.key, change]) : [])
  const recorded = version.changes.map((change) => own.get(change.key) ?? change)
  const names = new Set(recorded.map(({ key }) => key))
  return [...recorded, ...[...own.values()].filter(({ key }) => !names.has(key))]
}
