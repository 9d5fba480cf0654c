import type { ConfigValue } from '@signalbox/contract'
import { findValueViolation, stepsOf } from '../../config-model/constraints/check-value.ts'
import { findStoredViolation } from '../../config-model/constraints/served-values.ts'
import {
  createCheckWork,
  reportStepsMax,
  type CheckWork,
} from '../../config-model/constraints/check-work.ts'
import { ownKeys, type CurrentValues, type SecretEntry } from '../../config-model/current-values.ts'
import {
  resolveValues,
  type ConfigState,
  type SchemaState,
} from '../../config-model/resolve-values.ts'

import type { ReturningValue } from './find-returning.ts'

/** Describes what an environment lacks, and what it holds that the schema refuses. */
export interface EnvironmentReport {
  readonly environment: string
  readonly environmentId: string
  /** Required keys without a value. */
  readonly missing: readonly string[]
  /** Values set in this environment that the schema refuses. */
  readonly invalid: readonly { readonly key: string; readonly detail: string }[]
  /** Values set in this environment whose key the schema does not have. */
  readonly orphaned: readonly string[]
  /** Values that the change of the schema brings back. */
  readonly returning?: readonly ReturningValue[]
}

/** Opens a secret that an environment sets itself. */
export type OpenOwnSecret = (environmentId: string, key: string, entry: SecretEntry) => ConfigValue

/**
 * Returns the report of every environment that holds current values, in the order of the tree.
 *
 * @throws {Problem} `validation_failed` when it is too much work
 */
export async function reportEnvironments(
  state: ConfigState,
  openSecret: OpenOwnSecret,
  work: CheckWork = createCheckWork({ stepsMax: reportStepsMax }),
): Promise<EnvironmentReport[]> {
  const reports: EnvironmentReport[] = []
  for (const { id, name } of state.tree.values()) {
    const current = state.currentValues.get(id)
    if (current === undefined) continue
    reports.push({
      environment: name,
      environmentId: id,
      missing: findMissing(state, id),
      invalid: await findInvalid(state.schema, current, openSecret, work),
      orphaned: ownKeys(current).filter((key) => !state.schema.definition.has(key)),
    })
  }
  return reports
}

function findMissing(state: ConfigState, environmentId: string): string[] {
  return [...resolveValues(state, environmentId)]
    .filter(
      ([key, { source }]) =>
        source === 'missing' && state.schema.definition.get(key)?.required === true,
    )
    .map(([key]) => key)
}

async function findInvalid(
  { definition }: SchemaState,
  current: CurrentValues,
  openSecret: OpenOwnSecret,
  work: CheckWork,
): Promise<{ key: string; detail: string }[]> {
  const invalid: { key: string; detail: string }[] = []
  for (const [key, read] of readersOf(current, openSecret)) {
    const rule = definition.get(key)
    const value = rule === undefined ? undefined : read()
    const turn = work.begin(stepsOf(rule, value))
    if (turn !== undefined) await turn
    const violation =
      rule === undefined
        ? undefined
        : (findValueViolation(rule, value) ??
          (await findStoredViolation(rule, current.openValues[key]?.rules, work)))
    if (violation !== undefined) invalid.push({ key, detail: violation.detail })
  }
  return invalid
}

function readersOf(
  { environmentId, openValues, secretValues }: CurrentValues,
  openSecret: OpenOwnSecret,
): [string, () => ConfigValue][] {
  return [
    ...Object.entries(openValues).map(([key, { value }]): [string, () => ConfigValue] => [
      key,
      () => value,
    ]),
    ...Object.entries(secretValues).map(([key, entry]): [string, () => ConfigValue] => [
      key,
      () => openSecret(environmentId, key, entry),
    ]),
  ]
}

/**
 * Returns whether a change makes values invalid or orphaned that were neither before. Checks against the earlier schema
 * only what is broken after the change.
 */
export async function breaksValues(
  before: Pick<ConfigState, 'schema' | 'currentValues'>,
  after: readonly EnvironmentReport[],
  openSecret: OpenOwnSecret,
  work: CheckWork,
): Promise<boolean> {
  for (const { environmentId, invalid, orphaned } of after) {
    const broken = new Set([...invalid.map(({ key }) => key), ...orphaned])
    const was = before.currentValues.get(environmentId)
    if (was === undefined) {
      if (broken.size > 0) return true
      continue
    }
    const { openValues, secretValues } = was
    const current = {
      ...was,
      openValues: pick(openValues, broken),
      secretValues: pick(secretValues, broken),
    }
    const wasInvalid = await findInvalid(before.schema, current, openSecret, work)
    for (const { key } of wasInvalid) broken.delete(key)
    for (const key of ownKeys(current)) if (!before.schema.definition.has(key)) broken.delete(key)
    if (broken.size > 0) return true
  }
  return false
}

function pick<T>(
  values: Readonly<Record<string, T>>,
  keys: ReadonlySet<string>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)))
}
