import { sameValue, type ChangeSource, type ConfigValue, type Tier } from '@signalbox/contract'
import {
  kindOfChange,
  rulesOf,
  sourceOf,
  sourcesOf,
  valuesOf,
  type KeyChange,
  type ValueChange,
  type VisibleValues,
} from '../../config-model/value-changes.ts'
import type { NextChange } from './version-rows.ts'

/** Describes a key as clients saw it at a version. */
interface VisibleValue {
  readonly tier: Tier
  /** The value of an open key. */
  readonly value?: ConfigValue | undefined
  /** The text of a flag's rules. */
  readonly rules?: string | undefined
  /** Set for a secret: compares it without opening it, equal marks are equal values. */
  readonly mark?: string
  readonly source?: ChangeSource | undefined
}

/** Maps the keys that had a value at a version to what clients saw of them. */
type VisibleVersion = ReadonlyMap<string, VisibleValue>

/**
 * Returns what clients saw at a version: what they see at present, without what the versions after it changed. The
 * history and a difference agree because both come from the recorded changes, and both reach back as far as versions
 * are kept.
 */
export function rewind(
  present: Omit<VisibleValues, 'segments'>,
  next: readonly NextChange[],
): VisibleVersion {
  const values = new Map<string, VisibleValue>()
  for (const [key, resolved] of present.resolved) {
    const { value, rules, sealed } = resolved
    const source = sourceOf(present.tree, resolved)
    if (source === undefined) continue
    const tier = present.definition.get(key)?.tier ?? 'secret'
    const content = sealed === undefined ? { tier, value, rules } : { tier, mark: sealed }
    values.set(key, { ...content, source })
  }
  for (const changed of next) {
    if (hadValue(changed)) values.set(changed.key, valueBefore(changed))
    else values.delete(changed.key)
  }
  return values
}

/** Returns whether clients had a value before. An open key that was set to the value they had is `added` too. */
function hadValue({ tier, change, before }: NextChange): boolean {
  return tier === 'secret' ? change !== 'added' : before !== undefined
}

function valueBefore(changed: NextChange): VisibleValue {
  const { tier, before, rulesBefore, sourceBefore: source, versionId } = changed
  return tier === 'secret'
    ? { tier, mark: `before ${versionId}`, source }
    : { tier, value: before, rules: rulesBefore, source }
}

/**
 * Returns what differs between two versions, sorted by name. A key that is secret in either shows no value, of neither.
 */
export function diffVersions(
  from: VisibleVersion,
  to: VisibleVersion,
  isSameSecret: (key: string) => boolean,
): ValueChange[] {
  const keys = [...new Set([...from.keys(), ...to.keys()])].toSorted()
  return keys.flatMap((key) => compare(key, from.get(key), to.get(key), isSameSecret) ?? [])
}

function compare(
  key: string,
  from: VisibleValue | undefined,
  to: VisibleValue | undefined,
  isSameSecret: (key: string) => boolean,
): ValueChange | undefined {
  const change = kindOfChange(from !== undefined, to !== undefined)
  if (isSecret(from) || isSecret(to)) {
    return sameMark(from, to) || (change === 'changed' && isSameSecret(key))
      ? undefined
      : { key, tier: 'secret', change, ...sourcesOf(from?.source, to?.source) }
  }
  return compareOpen({ key, tier: tierOf(from, to), change }, from, to)
}

function compareOpen(
  change: KeyChange,
  from: Partial<VisibleValue> = {},
  to: Partial<VisibleValue> = {},
): ValueChange | undefined {
  if (sameValue(from.value, to.value) && from.rules === to.rules) return undefined
  return {
    ...change,
    ...valuesOf(from.value, to.value),
    ...rulesOf(from.rules, to.rules),
    ...sourcesOf(from.source, to.source),
  }
}

function tierOf(from: VisibleValue | undefined, to: VisibleValue | undefined): Tier {
  return to?.tier ?? from?.tier ?? 'secret'
}

function sameMark(from: VisibleValue | undefined, to: VisibleValue | undefined): boolean {
  return from?.mark === to?.mark
}

function isSecret(values: VisibleValue | undefined): boolean {
  return values?.mark !== undefined
}
