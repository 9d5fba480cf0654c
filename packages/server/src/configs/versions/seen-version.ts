import type { ConfigValue, Tier } from '@signalbox/contract'
import type { Definition } from '../schemas/definition.ts'
import type { ResolvedValues } from '../values/resolve-values.ts'
import {
  kindOfChange,
  rulesOf,
  valuesOf,
  type KeyChange,
  type ValueChange,
} from '../values/value-changes.ts'
import type { NextChange } from './version-rows.ts'

/** A key as clients saw it. */
export interface SeenValue {
  readonly tier: Tier
  /** What an open key held. */
  readonly value?: ConfigValue | undefined
  /** The text of a flag's rules. */
  readonly rules?: string | undefined
  /** Tells secrets apart without opening any: equal marks are equal values. */
  readonly mark?: string
}

export type SeenVersion = ReadonlyMap<string, SeenValue>

/**
 * What clients saw at a version: what they see at present, without what the versions after it changed. So history and
 * difference cannot tell two stories, and both reach back as far as versions are kept.
 */
export function rewind(
  present: { readonly definition: Definition; readonly resolved: ResolvedValues },
  next: readonly NextChange[],
): SeenVersion {
  const seen = new Map<string, SeenValue>()
  for (const [key, { source, value, rules, sealed }] of present.resolved) {
    if (source === 'missing') continue
    const tier = present.definition.get(key)?.tier ?? 'secret'
    seen.set(key, sealed === undefined ? { tier, value, rules } : { tier, mark: sealed })
  }
  for (const changed of next) {
    const { key, change } = changed
    if (change === 'added') seen.delete(key)
    else seen.set(key, seenBefore(changed))
  }
  return seen
}

function seenBefore({ tier, before, rulesBefore, versionId }: NextChange): SeenValue {
  return tier === 'secret'
    ? { tier, mark: `before ${versionId}` }
    : { tier, value: before, rules: rulesBefore }
}

/** What differs between two versions, by name. A key that is secret in either shows no value, of neither. */
export function diffSeen(
  from: SeenVersion,
  to: SeenVersion,
  isSameSecret: (key: string) => boolean,
): ValueChange[] {
  const keys = [...new Set([...from.keys(), ...to.keys()])].toSorted()
  return keys.flatMap((key) => compare(key, from.get(key), to.get(key), isSameSecret) ?? [])
}

function compare(
  key: string,
  from: SeenValue | undefined,
  to: SeenValue | undefined,
  isSameSecret: (key: string) => boolean,
): ValueChange | undefined {
  const change = kindOfChange(from !== undefined, to !== undefined)
  if (isSecret(from) || isSecret(to)) {
    return sameMark(from, to) || (change === 'changed' && isSameSecret(key))
      ? undefined
      : { key, tier: 'secret', change }
  }
  return compareOpen({ key, tier: tierOf(from, to), change }, from, to)
}

function compareOpen(
  change: KeyChange,
  from: Partial<SeenValue> = {},
  to: Partial<SeenValue> = {},
): ValueChange | undefined {
  if (from.value === to.value && from.rules === to.rules) return undefined
  return { ...change, ...valuesOf(from.value, to.value), ...rulesOf(from.rules, to.rules) }
}

function tierOf(from: SeenValue | undefined, to: SeenValue | undefined): Tier {
  return to?.tier ?? from?.tier ?? 'secret'
}

function sameMark(from: SeenValue | undefined, to: SeenValue | undefined): boolean {
  return from?.mark === to?.mark
}

function isSecret(seen: SeenValue | undefined): boolean {
  return seen?.mark !== undefined
}
