import type { ConfigValue, Tier } from '@signalbox/contract'
import type { Definition } from './definition.ts'
import type { ResolvedValues } from './resolve-values.ts'
import { kindOfChange, valuesOf, type ValueChange } from './value-changes.ts'
import type { VersionRow } from './version-rows.ts'

/** A key as clients saw it. */
export interface SeenValue {
  readonly tier: Tier
  /** What an open key held. */
  readonly value?: ConfigValue | undefined
  /** Tells secrets apart without opening any: equal marks are equal values. */
  readonly mark?: string
}

export type SeenVersion = ReadonlyMap<string, SeenValue>

/**
 * What clients saw at a version: what they see at present, without what the versions after it changed. So history and
 * difference cannot tell two stories, and both reach back as far as versions are kept.
 *
 * @param later What the versions after it changed, oldest first.
 */
export function rewind(
  present: { readonly definition: Definition; readonly resolved: ResolvedValues },
  later: readonly Pick<VersionRow, 'id' | 'changes'>[],
): SeenVersion {
  const seen = new Map<string, SeenValue>()
  for (const [key, { source, value, sealed }] of present.resolved) {
    if (source === 'missing') continue
    const tier = present.definition.get(key)?.tier ?? 'secret'
    seen.set(key, sealed === undefined ? { tier, value } : { tier, mark: sealed })
  }
  const done = new Set<string>()
  for (const { id, changes } of later) {
    for (const shown of changes) {
      if (done.has(shown.key) || isUnseen(shown)) continue
      done.add(shown.key)
      const was = readBefore(shown, id)
      if (was === undefined) seen.delete(shown.key)
      else seen.set(shown.key, was)
    }
  }
  return seen
}

/** The environment set it differently and clients saw no difference. */
function isUnseen({ tier, before, after }: ValueChange): boolean {
  return tier !== 'secret' && before === undefined && after === undefined
}

function readBefore({ tier, change, before }: ValueChange, id: string): SeenValue | undefined {
  if (change === 'added') return undefined
  return tier === 'secret' ? { tier, mark: `before ${id}` } : { tier, value: before }
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
  if (from?.value === to?.value) return undefined
  return { key, tier: tierOf(from, to), change, ...valuesOf(from?.value, to?.value) }
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
