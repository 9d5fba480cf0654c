import {
  may,
  Problem,
  promotionExceptions,
  takesRules,
  type ConfigValue,
  type ProblemLocation,
  type PromotionException,
} from '@signalbox/contract'
import { requireReach, type Caller } from '../../config-model/caller.ts'
import { createCheckWork } from '../../config-model/constraints/check-work.ts'
import {
  findValueViolation,
  stepsOf,
  unknownKey,
  type ValueViolation,
} from '../../config-model/constraints/check-value.ts'
import {
  findPlainCredentials,
  looksLikeSecret,
} from '../../config-model/constraints/plain-credentials.ts'
import { findStoredViolation } from '../../config-model/constraints/served-values.ts'
import { commit, type ConfigDeps } from '../config-deps.ts'
import type { Confirmation } from '../../config-model/confirmation.ts'
import type { Definition } from '../../config-model/definition.ts'
import type { ValueEdit } from '../../config-model/edit-values.ts'
import { createSecretOpener, type SecretOpener } from '../../config-model/sealed-secrets.ts'
import { resolveValues, type ConfigState } from '../../config-model/resolve-values.ts'
import { refuseViolations } from '../../config-model/refuse.ts'
import { requireVersion } from '../../http/admission/preconditions.ts'
import { getCurrentValues } from '../../config-model/current-values.ts'
import { turnsOff } from '../../config-model/segment-texts.ts'
import { chainOf } from '../../config-model/environment-tree.ts'
import { lockForWrite, writeValues, type WriteContext, type WrittenValues } from './write-values.ts'

/** Describes which values are copied from one environment to another. */
interface PromoteValues {
  readonly schemaId: string
  readonly fromEnvironmentId: string
  readonly toEnvironmentId: string
  /** `undefined`: every key that has a value in the source, set there or inherited. */
  readonly keys: readonly string[] | undefined
  /** Names the exceptions that are copied too. Empty beside `keys`. */
  readonly include: readonly PromotionException[]
  readonly allowPlain: readonly string[]
  readonly confirmation: Confirmation
  readonly dryRun: boolean
  /** Called before a secret is copied to another environment, where others may read it. */
  readonly authorizeSecrets: () => void
  /** The version of the environment to write to, as the caller has seen it. */
  readonly ifMatch: number | undefined
  /** The version of the source, as `countWrites` answers it, that the caller has seen. */
  readonly expectedSourceVersion: number | undefined
}

/** Describes a key that differs and was not copied. */
interface LeftOut {
  readonly key: string
  readonly reason: PromotionException
}

/** Describes what a promotion wrote and left out, and the version of what it copied. */
export interface PromotedValues extends WrittenValues {
  readonly leftOut: readonly LeftOut[]
  readonly sourceVersion: number
}

/**
 * Sets in one environment what another one has, set there or inherited. Leaves alone values that are the same already,
 * and keys that have only a default.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`, `revision_mismatch`, `unknown_key`, what `authorizeSecrets` throws,
 * and what a write of the values would be refused with.
 */
export async function promoteValues(
  deps: ConfigDeps,
  caller: Caller,
  promote: PromoteValues,
): Promise<PromotedValues> {
  const { schemaId, fromEnvironmentId, toEnvironmentId, confirmation, dryRun } = promote
  requireReach(caller, 'readValues', { schemaId, environmentId: fromEnvironmentId })
  requireReach(caller, 'writeValues', { schemaId, environmentId: toEnvironmentId })
  if (fromEnvironmentId === toEnvironmentId) throw sameEnvironment()
  if (promote.keys !== undefined && promote.include.length > 0) throw includedBesideKeys()
  const { orgId } = caller
  return commit(deps, caller, async (tx) => {
    const environmentIds = [fromEnvironmentId, toEnvironmentId]
    const context = await lockForWrite(deps, tx, { orgId, schemaId, environmentIds })
    requireVersion(getCurrentValues(context.state, toEnvironmentId).version, promote.ifMatch)
    const sourceVersion = countWrites(context.state, fromEnvironmentId)
    requireSource(context.state, promote, sourceVersion)
    const isCompared = [fromEnvironmentId, toEnvironmentId].every((environmentId) =>
      may(caller.permissions, 'readSecrets', { schemaId, environmentId }),
    )
    const { leftOut, ...chosen } = await chooseValues({ orgId, isCompared }, context, promote)
    requireNoCredentials(context.state, promote, chosen)
    const { definition } = context.state.schema
    const isSecret = (key: string) => definition.get(key)?.tier === 'secret'
    if ([...chosen.set.keys()].some(isSecret)) {
      requireReach(caller, 'readSecrets', { schemaId, environmentId: fromEnvironmentId })
      if (!dryRun) promote.authorizeSecrets()
    }
    const written = await writeValues(deps, tx, caller, {
      ...context,
      environmentId: toEnvironmentId,
      edit: { ...chosen, remove: new Set() },
      kind: 'promote',
      action: 'value.promoted',
      confirmation,
      dryRun,
      detail: { fromEnvironmentId },
    })
    return { ...written, leftOut, sourceVersion }
  })
}

/** Refuses copies of open values with the form of a credential that the request does not allow. @throws {Problem} */
function requireNoCredentials(
  state: ConfigState,
  { toEnvironmentId, keys, allowPlain }: PromoteValues,
  chosen: Pick<ValueEdit, 'set' | 'rules'>,
): void {
  const current = getCurrentValues(state, toEnvironmentId)
  const violations = [...findPlainCredentials(state.schema.definition, current, chosen)]
    .filter(([key]) => !allowPlain.includes(key))
    .map(([key, { credential }]) => ({
      ...looksLikeSecret([], { key, credential }),
      pointer: pointerTo(keys, keys?.indexOf(key) ?? 0),
    }))
  if (violations.length > 0) throw refuseViolations(violations)
}

/** Counts the writes to an environment and to those that it inherits from: its values change with them. */
function countWrites(state: ConfigState, environmentId: string): number {
  const versions = chainOf(state.tree, environmentId).map(
    ({ id }) => getCurrentValues(state, id).version,
  )
  return versions.reduce((sum, version) => sum + version, 0)
}

function requireSource(
  state: ConfigState,
  { fromEnvironmentId, expectedSourceVersion }: PromoteValues,
  sourceVersion: number,
): void {
  if (expectedSourceVersion === undefined || expectedSourceVersion === sourceVersion) return
  const name = nameOf(state, fromEnvironmentId)
  const detail = `Somebody has changed the values of ${name}, which this promotion copies. Compare again, then repeat it.`
  throw new Problem('revision_mismatch', detail)
}

function nameOf({ tree }: Pick<ConfigState, 'tree'>, environmentId: string): string {
  return tree.get(environmentId)?.name ?? ''
}

function sameEnvironment(): Problem {
  const detail = 'Name two different environments.'
  return new Problem('validation_failed', detail, {
    errors: [{ pointer: '/toEnvironmentId', code: 'validation_failed', detail }],
  })
}

/** Returns the refusal of a request that names keys, and what to include of all keys. */
export function includedBesideKeys(): Problem {
  const detail =
    'Name keys, or what to include of all keys, but not both: a key that is named is never left out.'
  return new Problem('validation_failed', detail, {
    errors: [{ pointer: '/include', code: 'validation_failed', detail }],
  })
}

async function chooseValues(
  { orgId, isCompared }: { readonly orgId: string; readonly isCompared: boolean },
  { state, sealer }: WriteContext,
  { fromEnvironmentId, toEnvironmentId, keys, include }: PromoteValues,
): Promise<Required<Pick<ValueEdit, 'set' | 'rules'>> & Pick<PromotedValues, 'leftOut'>> {
  const opener = createSecretOpener(sealer, orgId, state.schema.id)
  const from = readTexts(state, fromEnvironmentId, { opener, isOpened: true })
  // Somebody who may not read the secrets of both does not find out which are the same: each counts as different.
  const to = readTexts(state, toEnvironmentId, { opener, isOpened: isCompared })
  const { definition } = state.schema
  const source = nameOf(state, fromEnvironmentId)
  const set = new Map<string, ConfigValue>()
  const rules = new Map<string, string | null>()
  const { leaveOut, leftOut } = createExceptions({ definition, from, to, include })
  const violations: ProblemLocation[] = []
  const work = createCheckWork()
  const named = keys ?? [...from.set].filter((key) => !leaveOut(key))
  for (const [index, key] of named.entries()) {
    const rule = definition.get(key)
    const value = readValue(from, key)
    const turn = work.begin(stepsOf(rule, value))
    if (turn !== undefined) await turn
    const violation =
      findViolation({ definition, set: from.set, source }, key, value) ??
      (await findStoredViolation(rule, from.rules.get(key), work))
    if (violation !== undefined) violations.push({ pointer: pointerTo(keys, index), ...violation })
    else if (isValue(value) && !isSame(from, to, key)) {
      set.set(key, value)
      if (takesRules(rule ?? {})) rules.set(key, from.rules.get(key) ?? null)
    }
  }
  if (violations.length > 0) throw refuseViolations(violations)
  return { set, rules, leftOut }
}

interface ExceptionOptions {
  readonly definition: Definition
  readonly from: Texts
  readonly to: Texts
  readonly include: readonly PromotionException[]
}

function pointerTo(keys: PromoteValues['keys'], index: number): string {
  return keys === undefined ? '/fromEnvironmentId' : `/keys/${index}`
}

function readValue({ texts }: Texts, key: string): unknown {
  const text = texts.get(key)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Creates what decides of each key whether it is left out where nobody named it, and remembers those that differ. */
function createExceptions({ definition, from, to, include }: ExceptionOptions) {
  const leftOut: LeftOut[] = []
  const holds: Record<PromotionException, (key: string) => boolean> = {
    expectedToDiffer: (key) => definition.get(key)?.expectedToDiffer === true,
    secret: (key) => definition.get(key)?.tier === 'secret',
    turnedOff: (key) => turnsOff(from.rules.get(key)) || turnsOff(to.rules.get(key)),
  }
  const excepted = promotionExceptions.filter((reason) => !include.includes(reason))
  return {
    leftOut,
    leaveOut: (key: string): boolean => {
      const reason = excepted.find((one) => holds[one](key))
      if (reason !== undefined && !isSame(from, to, key)) leftOut.push({ key, reason })
      return reason !== undefined
    },
  }
}

/** Compares the rules too: a flag is its value and its rules. */
function isSame(from: Texts, to: Texts, key: string): boolean {
  return to.texts.get(key) === from.texts.get(key) && to.rules.get(key) === from.rules.get(key)
}

function isValue(value: unknown): value is ConfigValue {
  return value !== undefined
}

interface Promoted {
  readonly definition: Definition
  readonly set: ReadonlySet<string>
  /** Names the environment that the values come from. */
  readonly source: string
}

function findViolation(
  { definition, set, source }: Promoted,
  key: string,
  value: unknown,
): ValueViolation | undefined {
  const rule = definition.get(key)
  if (rule === undefined) return unknownKey(definition, key)
  if (!set.has(key)) {
    const detail = `${key} is not set in ${source}, so there is nothing to copy. Leave it out, or set it there first.`
    return { code: 'validation_failed', detail }
  }
  const violation = findValueViolation(rule, value)
  return violation && { code: violation.code, detail: `${key}: ${violation.detail}` }
}

interface Texts {
  /** Keys with a value that is set in the environment or inherited, not a default. */
  readonly set: ReadonlySet<string>
  /** The JSON text of every value that there is. */
  readonly texts: ReadonlyMap<string, string>
  /** The text of the rules of each flag that has some. */
  readonly rules: ReadonlyMap<string, string>
}

function readTexts(
  state: ConfigState,
  environmentId: string,
  { opener, isOpened }: { readonly opener: SecretOpener; readonly isOpened: boolean },
): Texts {
  const resolved = resolveValues(state, environmentId)
  const texts = new Map(isOpened ? opener.open(resolved) : [])
  const set = new Set<string>()
  const ruled = new Map<string, string>()
  for (const [key, { value, source, rules }] of resolved) {
    if (rules !== undefined) ruled.set(key, rules)
    if (value !== undefined) texts.set(key, JSON.stringify(value))
    if (source === 'set' || source === 'inherited') set.add(key)
  }
  return { set, texts, rules: ruled }
}
