import type { ConfigValue } from '@signalbox/contract'
import { findValueFault } from './check-values.ts'
import { ownKeys, type ConfigHead, type SecretEntry } from './config-head.ts'
import { resolveValues, type ConfigState } from './resolve-values.ts'

/** What an environment lacks, or holds that the schema does not take. */
export interface EnvironmentReport {
  readonly environment: string
  readonly environmentId: string
  /** Required keys without a value. */
  readonly missing: readonly string[]
  /** Values set in this environment that the schema refuses. */
  readonly invalid: readonly { readonly key: string; readonly detail: string }[]
  /** Values set in this environment whose key the schema does not have. */
  readonly orphaned: readonly string[]
}

/** Opens a secret that an environment sets itself. */
export type OpenOwnSecret = (environmentId: string, key: string, entry: SecretEntry) => ConfigValue

/** The report of every environment that has a head, in the order of the tree. */
export function reportEnvironments(
  state: ConfigState,
  openSecret: OpenOwnSecret,
): EnvironmentReport[] {
  return [...state.tree.values()].flatMap(({ id, name }) => {
    const head = state.heads.get(id)
    if (head === undefined) return []
    return [
      {
        environment: name,
        environmentId: id,
        missing: findMissing(state, id),
        invalid: findInvalid(state, head, openSecret),
        orphaned: ownKeys(head).filter((key) => !state.schema.definition.has(key)),
      },
    ]
  })
}

function findMissing(state: ConfigState, environmentId: string): string[] {
  return [...resolveValues(state, environmentId)]
    .filter(
      ([key, { source }]) =>
        source === 'missing' && state.schema.definition.get(key)?.required === true,
    )
    .map(([key]) => key)
}

function findInvalid(
  { schema }: ConfigState,
  head: ConfigHead,
  openSecret: OpenOwnSecret,
): { key: string; detail: string }[] {
  const own = [
    ...Object.entries(head.openValues).map(([key, { value }]) => [key, () => value] as const),
    ...Object.entries(head.secretValues).map(
      ([key, entry]) => [key, () => openSecret(head.environmentId, key, entry)] as const,
    ),
  ]
  return own.flatMap(([key, read]) => {
    const rule = schema.definition.get(key)
    const fault = rule === undefined ? undefined : findValueFault(rule, read())
    return fault === undefined ? [] : [{ key, detail: fault.detail }]
  })
}

/** Whether a change makes values invalid or homeless that were neither before. */
export function breaksValues(
  before: readonly EnvironmentReport[],
  after: readonly EnvironmentReport[],
): boolean {
  const known = new Map(before.map((report) => [report.environmentId, report]))
  return after.some((report) => {
    const was = known.get(report.environmentId)
    const broken = new Set([
      ...(was?.invalid.map(({ key }) => key) ?? []),
      ...(was?.orphaned ?? []),
    ])
    const isBroken = [...report.invalid.map(({ key }) => key), ...report.orphaned]
    return isBroken.some((key) => !broken.has(key))
  })
}
