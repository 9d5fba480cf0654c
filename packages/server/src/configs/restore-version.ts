import { Problem, type ConfigValue } from '@signalbox/contract'
import { requireReach, type Caller } from './caller.ts'
import { isFlag } from './check-rules.ts'
import { checkValues } from './check-values.ts'
import { commit, type ConfigDeps } from './config-deps.ts'
import type { Sealer } from '../vault/organization-keys.ts'
import type { ConfigHead } from './config-head.ts'
import type { Definition } from './definition.ts'
import { openValue, type RulesByKey } from './edit-head.ts'
import { getReached } from './get-version.ts'
import { toJsonPointer } from '../http/json-pointer.ts'
import { valuePlace } from './sealed-place.ts'
import type { ValueChange } from './value-changes.ts'
import type { VersionContentRow, VersionRow } from './version-rows.ts'
import { headOf, openState, refuseFaults, requireVersion, writeValues } from './write-values.ts'

export interface RestoreVersion {
  readonly versionId: string
  readonly comment: string | undefined
  readonly dryRun: boolean
  /** Goes on although what was a secret then becomes public. */
  readonly force: boolean
  readonly ifMatch: number | undefined
}

export interface RestoredVersion {
  /** The version that was made; of a dry run the one to restore. */
  readonly version: VersionRow
  readonly changes: readonly ValueChange[]
}

/**
 * Makes what an environment set at some version current again, as a version of its own, also when nothing is different.
 * Values whose key the schema has lost since are left out.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `revision_mismatch`, `breaking_change`; `schema_violation`, `type_mismatch` or
 * `validation_failed` when the schema refuses old values.
 */
export async function restoreVersion(
  deps: ConfigDeps,
  caller: Caller,
  { versionId, comment, dryRun, force, ifMatch }: RestoreVersion,
): Promise<RestoredVersion> {
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const { schemaId, environmentId } = await getReached(tx, caller, versionId)
    requireReach(caller, { schemaId, environmentId })
    const opened = await openState(deps, tx, { orgId, schemaId, environmentIds: [environmentId] })
    // Read again under the lock: a change of the schema may have sealed some of it meanwhile.
    const old = await getReached(tx, caller, versionId)
    const head = headOf(opened.state, environmentId)
    requireVersion(head.version, ifMatch)
    const { definition } = opened.state.schema
    const values = readContent(opened.sealer, { orgId, definition, old })
    const checked = await checkValues(definition, values, [])
    if ('faults' in checked) throw refuseFaults(checked.faults)
    const revealed = findRevealed({ definition, head, old }, checked.values)
    if (revealed.length > 0 && !force) throw breakingChange(revealed)
    const written = await writeValues(deps, tx, caller, {
      ...opened,
      environmentId,
      edit: { set: checked.values, rules: rulesOf(definition, old), remove: 'others' },
      kind: 'restore',
      action: 'value.rolled_back',
      comment: comment ?? `Restored version ${old.version}`,
      dryRun,
      detail: { restored: old.version },
    })
    const { version } = written
    // What is only looked at is not published yet, and looking at a secret would have to be written down.
    const changes = dryRun ? hideValues(written.changes, revealed) : written.changes
    return { version: version ?? old, changes }
  })
}

function readContent(
  sealer: Sealer,
  of: { readonly orgId: string; readonly definition: Definition; readonly old: VersionContentRow },
): Record<string, unknown> {
  const { orgId, definition, old } = of
  const open = Object.entries(old.open)
  const secret = Object.entries(old.secret).map(
    ([key, sealed]) =>
      [key, openValue(sealer, valuePlace({ orgId, ...old, key }), sealed)] as const,
  )
  return Object.fromEntries([...open, ...secret].filter(([key]) => definition.has(key)))
}

/** The rules of what is still a flag. */
function rulesOf(definition: Definition, { rules }: VersionContentRow): RulesByKey {
  return new Map(Object.entries(rules).filter(([key]) => isFlag(definition.get(key))))
}

/** Keys that hold a secret in the old version and would be published with another value than they have. */
function findRevealed(
  of: {
    readonly definition: Definition
    readonly head: ConfigHead
    readonly old: VersionContentRow
  },
  values: ReadonlyMap<string, ConfigValue>,
): string[] {
  const { definition, head, old } = of
  return Object.keys(old.secret).filter((key) => {
    const rule = definition.get(key)
    return (
      rule !== undefined &&
      rule.tier !== 'secret' &&
      head.openValues[key]?.value !== values.get(key)
    )
  })
}

function breakingChange(keys: readonly string[]): Problem {
  const detail =
    'The value was a secret in that version and would be published. Set the key by hand, or repeat with "force": true.'
  const errors = keys.map((key) => {
    return { pointer: toJsonPointer([key]), code: 'breaking_change', detail } as const
  })
  return new Problem('breaking_change', `${keys.join(', ')}: ${detail}`, { errors })
}

function hideValues(changes: readonly ValueChange[], keys: readonly string[]): ValueChange[] {
  return changes.map((shown) => {
    const { key, tier, change } = shown
    return keys.includes(key) ? { key, tier, change } : shown
  })
}
