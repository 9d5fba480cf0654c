import {
  Problem,
  sameValue,
  takesRules,
  type ConfigValue,
  type ProblemLocation,
  type RestoreException,
} from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import { unknownKey } from '../../config-model/constraints/check-value.ts'
import { checkValues } from '../../config-model/constraints/check-values.ts'
import { findStoredViolation } from '../../config-model/constraints/served-values.ts'
import {
  createCheckWork,
  reportStepsMax,
  type CheckWork,
} from '../../config-model/constraints/check-work.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import { findConflicts, requireNoConflict } from '../conflicts.ts'
import { findSegmentViolation, type KnownSegments } from '../../config-model/known-segments.ts'
import { withSegments } from '../segments/read-known-segments.ts'
import { segmentsIn, turnsOff } from '../../config-model/segment-texts.ts'
import type { Confirmation } from '../../config-model/confirmation.ts'
import type { Sealer } from '../../vault/organization-keys.ts'
import {
  getCurrentValues,
  isOwnKey,
  type CurrentValues,
} from '../../config-model/current-values.ts'
import type { Definition } from '../../config-model/definition.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import { planUndo, type RestoredFrom } from './plan-undo.ts'
import type { RulesByKey, ValueEdit } from '../../config-model/edit-values.ts'
import { toJsonPointer } from '../../http/input/json-pointer.ts'
import { describeUnknown, requireKnownIds } from '../../http/input/known-ids.ts'
import { resolveValues, type ConfigState } from '../../config-model/resolve-values.ts'
import { openValue, valueAddress } from '../../config-model/sealed-secrets.ts'
import { findVersionRows, type VersionContentRow, type VersionRow } from './version-rows.ts'
import { includedBesideKeys } from '../values/promote-values.ts'
import {
  changeValues,
  lockForWrite,
  type ChangedEnvironment,
  type ChangedValues,
  type WriteContext,
} from '../values/write-values.ts'

/** Names a version to restore, and the keys if not all of them. */
interface RestoredPart extends RestoredFrom {
  readonly keys?: readonly string[] | undefined
  /** Leads to the part in the body. Left out: the address names the version. */
  readonly path?: readonly PropertyKey[]
}

/** Describes which versions are restored together, and the consequences that the request accepts. */
export interface RestoreVersions {
  /** Versions of one schema, each of another environment. */
  readonly restores: readonly RestoredPart[]
  /** Names the exceptions that are restored too. Empty beside `keys`. */
  readonly include: readonly RestoreException[]
  readonly confirmation: Confirmation
  readonly dryRun: boolean
  /** Restores although a secret of the old version becomes public. */
  readonly force: boolean
}

/** Describes a key that differs in the version and was not restored. */
interface LeftOut {
  readonly environmentId: string
  readonly key: string
  readonly reason: RestoreException
}

/** Describes what a restore changed, or what a dry run would change. */
export interface RestoredVersions extends ChangedValues {
  /** The versions that were restored, in the order of the request. */
  readonly restored: readonly VersionRow[]
  readonly leftOut: readonly LeftOut[]
  /** The versions to restore to take the restore back; empty when nothing was stored. */
  readonly undo: readonly RestoredFrom[]
}

/**
 * Makes what environments set at some versions current again, all or none, as versions of their own, also when nothing
 * is different. Values whose key the schema has lost since are left out, and so are flags that are turned off now and were
 * not then, unless the request names or includes them.
 *
 * @throws {Problem} `not_found`, `validation_failed` for `include` beside keys, `key_scope_forbidden`, `revision_mismatch` with the conflicts, `breaking_change`,
 * `conflict`; `schema_violation`, `type_mismatch` or `validation_failed` when the schema refuses old values;
 * `unknown_key`, `unknown_segment`, `too_many_rules`, `confirmation_required`, `comment_required`
 */
export async function restoreVersions(
  deps: ConfigDeps,
  caller: Caller,
  { restores, include, confirmation, dryRun, force }: RestoreVersions,
): Promise<RestoredVersions> {
  const { orgId } = caller
  if (include.length > 0 && restores.some(({ keys }) => keys !== undefined))
    throw includedBesideKeys()
  return commit(deps, caller, async (tx) => {
    const versions = await getAllReached(tx, caller, restores)
    const schemaId = requireOneSchema(versions)
    const environmentIds = versions.map(({ environmentId }) => environmentId)
    for (const environmentId of environmentIds)
      requireReach(caller, 'writeValues', { schemaId, environmentId })
    const locked = await lockForWrite(deps, tx, { orgId, schemaId, environmentIds })
    // The versions are read again under the lock: a change of the schema may have sealed some of their values in the
    // meantime.
    const olds = await getAllReached(tx, caller, restores)
    const context = await withSegments(tx, orgId, locked, olds.flatMap(segmentsOf))
    requireKnownKeys(context.state.schema.definition, restores)
    const expected = restores.map(({ expectedVersion, keys }, index) => {
      const environmentId = environmentIds[index] ?? ''
      return { environmentId, expectedVersion, keys: keys && new Set(keys) }
    })
    requireNoConflict(await findConflicts(tx, orgId, context.state, expected))
    const parts = olds.map((old, index) => ({ old, keys: toKeySet(restores[index]?.keys) }))
    const { edits, revealed, leftOut } = await planAll(context, parts, { orgId, include, force })
    if (revealed.size > 0) requireRevealing(caller, schemaId, environmentIds)
    const changed = await changeValues(deps, tx, caller, {
      ...context,
      edits,
      kind: 'restore',
      action: 'value.rolled_back',
      comment: confirmation.comment ?? describeRestore(context.state, olds, restores),
      confirmation,
      dryRun,
      detailOf: (environmentId) => ({
        restored: olds.find((old) => old.environmentId === environmentId)?.version,
      }),
    })
    // A dry run publishes nothing, so a value that is still a secret stays hidden: showing it would need an audit
    // event.
    const environments = dryRun
      ? changed.environments.map((environment) => hideValues(environment, revealed))
      : changed.environments
    const undo = await planUndo(tx, { orgId, schemaId }, changed.environments)
    return { ...changed, environments, restored: olds, leftOut, undo }
  })
}

async function getAllReached(
  tx: Tx,
  caller: Caller,
  restores: readonly RestoredPart[],
): Promise<VersionContentRow[]> {
  const ids = restores.map(({ versionId }) => versionId)
  const byId = new Map((await findVersionRows(tx, caller.orgId, ids)).map((row) => [row.id, row]))
  const versions = ids.flatMap((id) => byId.get(id) ?? [])
  for (const version of versions) requireReach(caller, 'writeValues', version)
  const named = restores.flatMap(({ versionId: id, path }) =>
    path === undefined ? [] : [{ path: [...path, 'versionId'], id }],
  )
  requireKnownIds({ named, known: byId, detail: describeUnknown('version') })
  if (versions.length < ids.length) throw notFound()
  return versions
}

/**
 * Returns the schema of the versions; throws {Problem} `conflict`, with a pointer to each that is of another schema than the
 * first, or of an environment that is named already.
 */
function requireOneSchema(versions: readonly VersionRow[]): string {
  const schemaId = versions[0]?.schemaId ?? ''
  const met = new Set<string>()
  const detail = 'Choose one version per environment, all of one schema.'
  const errors = versions.flatMap((version, at): ProblemLocation[] => {
    const isFirst = !met.has(version.environmentId)
    met.add(version.environmentId)
    if (isFirst && version.schemaId === schemaId) return []
    return [{ pointer: `/restores/${at}/versionId`, code: 'conflict', detail }]
  })
  if (errors.length > 0) throw new Problem('conflict', detail, { errors })
  return schemaId
}

/** Refuses to publish what was a secret for a caller who may not read it. @throws {Problem} `role_forbidden` */
function requireRevealing(
  caller: Caller,
  schemaId: string,
  environmentIds: readonly string[],
): void {
  for (const environmentId of environmentIds)
    requireReach(caller, 'readSecrets', { schemaId, environmentId })
}

interface PlannedRestores {
  readonly edits: ReadonlyMap<string, ValueEdit>
  /** The keys that the edits publish and that were secrets in the versions. */
  readonly revealed: ReadonlySet<string>
  readonly leftOut: readonly LeftOut[]
}

async function planAll(
  context: WriteContext,
  parts: readonly Pick<PlanRestore, 'old' | 'keys'>[],
  {
    orgId,
    include,
    force,
  }: Pick<RestoreVersions, 'include' | 'force'> & { readonly orgId: string },
): Promise<PlannedRestores> {
  const edits = new Map<string, ValueEdit>()
  const revealed = new Set<string>()
  const leftOut: LeftOut[] = []
  const work = createCheckWork({ stepsMax: reportStepsMax })
  for (const { old, keys } of parts) {
    const { environmentId } = old
    const isWhole = keys === undefined && !include.includes('turnedOff')
    const keptKeys = isWhole ? findTurnedOff(context, old) : new Set<string>()
    for (const key of keptKeys) leftOut.push({ environmentId, key, reason: 'turnedOff' })
    const isRestored = (key: string) => keys?.has(key) ?? !keptKeys.has(key)
    const planned = await planRestore(context, {
      orgId,
      old: pickKeys(old, isRestored),
      keys,
      keptKeys,
      force,
      work,
    })
    edits.set(environmentId, planned.edit)
    for (const key of planned.revealed) revealed.add(key)
  }
  return { edits, revealed, leftOut }
}

/** Returns the flags that are turned off now, by the environment or by one that it inherits from, and that the version would turn on. */
function findTurnedOff({ state }: WriteContext, old: VersionContentRow): ReadonlySet<string> {
  const current = getCurrentValues(state, old.environmentId)
  const isSet = (key: string) =>
    isOwnKey(current, key) || Object.hasOwn(old.open, key) || Object.hasOwn(old.secret, key)
  const resolved = [...resolveValues(state, old.environmentId)]
  return new Set(
    resolved.flatMap(([key, { rules }]) =>
      turnsOff(rules) && !turnsOff(old.rules[key]) && isSet(key) ? [key] : [],
    ),
  )
}

interface PlanRestore {
  readonly orgId: string
  /** The version, with what of it is restored. */
  readonly old: VersionContentRow
  /** `undefined`: everything but `keptKeys`. */
  readonly keys: ReadonlySet<string> | undefined
  readonly keptKeys: ReadonlySet<string>
  readonly force: boolean
  readonly work: CheckWork
}

/** Returns the edit that restores a version, and the keys it publishes that were secrets in it. */
async function planRestore(
  { state, segments, sealer }: WriteContext,
  of: PlanRestore,
): Promise<{ readonly edit: ValueEdit; readonly revealed: readonly string[] }> {
  const { old, keys, keptKeys } = of
  const { definition } = state.schema
  const values = readContent(sealer, { ...of, definition })
  const checked = await checkValues(definition, values, [], of.work)
  if ('violations' in checked) throw refuseViolations(checked.violations)
  const rules = rulesOf(definition, old)
  await requireRules(definition, rules, segments, of.work)
  const current = getCurrentValues(state, old.environmentId)
  const revealed = findRevealed({ definition, current, old }, checked.values)
  if (revealed.length > 0 && !of.force) throw breakingChange(revealed)
  if (keys === undefined)
    return { edit: { set: checked.values, rules, remove: 'others', keptKeys }, revealed }
  const remove = new Set([...keys].filter((key) => !checked.values.has(key)))
  // A flag that had no rules then loses those that it has.
  const none = [...checked.values.keys()].filter((key) => takesRules(definition.get(key) ?? {}))
  const all = new Map([...none.map((key) => [key, null] as const), ...rules])
  return { edit: { set: checked.values, rules: all, remove }, revealed }
}

/** Refuses keys that the schema does not have; throws {Problem} `unknown_key` with a pointer to each. */
function requireKnownKeys(definition: Definition, restores: readonly RestoredPart[]): void {
  const violations = restores.flatMap(({ keys = [] }, at) =>
    keys.flatMap((key, index) =>
      definition.has(key)
        ? []
        : [{ pointer: `/restores/${at}/keys/${index}`, ...unknownKey(definition, key) }],
    ),
  )
  if (violations.length > 0) throw refuseViolations(violations)
}

function toKeySet(keys: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return keys && new Set(keys)
}

/** Returns a version with the content of some keys alone. */
function pickKeys(
  version: VersionContentRow,
  isPicked: (key: string) => boolean,
): VersionContentRow {
  const pick = <T>(values: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => isPicked(key)))
  const { open, rules, secret } = version
  return { ...version, open: pick(open), rules: pick(rules), secret: pick(secret) }
}

function describeRestore(
  { tree }: ConfigState,
  olds: readonly VersionRow[],
  restores: readonly RestoredPart[],
): string {
  const [only] = olds
  const keys = restores[0]?.keys
  if (only !== undefined && olds.length === 1) {
    const what = keys === undefined ? '' : `${keys.slice(0, 3).join(', ')} of `
    return `Restored ${what}version ${only.version}`
  }
  const texts = olds.map(
    ({ environmentId, version }) => `version ${version} of ${tree.get(environmentId)?.name ?? ''}`,
  )
  return `Restored ${texts.join(', ')}`
}

function readContent(
  sealer: Sealer,
  of: { readonly orgId: string; readonly definition: Definition; readonly old: VersionContentRow },
): Record<string, unknown> {
  const { orgId, definition, old } = of
  const open = Object.entries(old.open)
  const secret = Object.entries(old.secret).map(
    ([key, sealed]) =>
      [key, openValue(sealer, valueAddress({ orgId, ...old, key }), sealed)] as const,
  )
  return Object.fromEntries([...open, ...secret].filter(([key]) => definition.has(key)))
}

function segmentsOf({ rules }: VersionContentRow): readonly string[] {
  return Object.values(rules).flatMap(segmentsIn)
}

/**
 * Refuses rules whose segments were deleted since, or that serve what their key does not take any more.
 *
 * @throws {Problem} `unknown_segment`, `too_many_rules`, `type_mismatch`, `schema_violation`, `validation_failed`
 */
async function requireRules(
  definition: Definition,
  rules: RulesByKey,
  segments: KnownSegments,
  work: CheckWork,
): Promise<void> {
  const violations: ProblemLocation[] = []
  for (const [key, text] of rules) {
    if (text === null) continue
    const violation =
      findSegmentViolation(text, segments) ??
      (await findStoredViolation(definition.get(key), text, work))
    if (violation !== undefined) violations.push({ pointer: toJsonPointer([key]), ...violation })
  }
  if (violations.length > 0) throw refuseViolations(violations)
}

/** Returns the rules of the keys that are still flags. */
function rulesOf(definition: Definition, { rules }: VersionContentRow): RulesByKey {
  return new Map(Object.entries(rules).filter(([key]) => takesRules(definition.get(key) ?? {})))
}

/** Returns the keys that hold a secret in the old version and would be published with another value than they have. */
function findRevealed(
  of: {
    readonly definition: Definition
    readonly current: CurrentValues
    readonly old: VersionContentRow
  },
  values: ReadonlyMap<string, ConfigValue>,
): string[] {
  const { definition, current, old } = of
  return Object.keys(old.secret).filter((key) => {
    const rule = definition.get(key)
    return (
      rule !== undefined &&
      rule.tier !== 'secret' &&
      !sameValue(current.openValues[key]?.value, values.get(key))
    )
  })
}

function breakingChange(keys: readonly string[]): Problem {
  const detail =
    'The value was a secret in that version and would become public. Set the key by hand, or repeat with "force": true.'
  const errors = keys.map((key) => {
    return { pointer: toJsonPointer([key]), code: 'breaking_change', detail } as const
  })
  return new Problem('breaking_change', `${keys.join(', ')}: ${detail}`, { errors })
}

function hideValues(
  { changes, ...environment }: ChangedEnvironment,
  keys: ReadonlySet<string>,
): ChangedEnvironment {
  return {
    ...environment,
    changes: changes.map((entry) => {
      const { key, tier, change } = entry
      return keys.has(key) ? { key, tier, change } : entry
    }),
  }
}
