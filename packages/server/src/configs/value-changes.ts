import type { ConfigValue, Tier } from '@signalbox/contract'
import type { ConfigHead } from './config-head.ts'
import type { Definition } from './definition.ts'
import { sameResolved, type ResolvedValue, type ResolvedValues } from './resolve-values.ts'

/** That a key was changed, without its value. */
export interface KeyChange {
  readonly key: string
  readonly tier: Tier
  readonly change: 'added' | 'changed' | 'removed'
}

/** A change with its values. A secret has none here. */
export interface ValueChange extends KeyChange {
  readonly before?: ConfigValue
  readonly after?: ConfigValue
}

/** What an environment set itself at some moment: values of open tiers, and sealed secrets as base64. */
export interface StoredContent {
  readonly open: Readonly<Record<string, ConfigValue>>
  readonly secret: Readonly<Record<string, string>>
}

export const emptyContent: StoredContent = { open: {}, secret: {} }

export function contentOf({ openValues, secretValues }: ConfigHead): StoredContent {
  const open: Record<string, ConfigValue> = {}
  const secret: Record<string, string> = {}
  for (const key of Object.keys(openValues)) {
    const entry = openValues[key]
    if (entry !== undefined) open[key] = entry.value
  }
  for (const key of Object.keys(secretValues)) {
    const entry = secretValues[key]
    if (entry !== undefined) secret[key] = entry.sealed
  }
  return { open, secret }
}

interface Diff {
  readonly definition: Definition
  readonly before: StoredContent
  readonly after: StoredContent
  /** Whether two different seals hold the same text. Left out: they do not. */
  readonly sameSecret?: ((key: string, before: string, after: string) => boolean) | undefined
}

/** What differs between two contents, by name. */
export function diffContents({ definition, before, after, sameSecret }: Diff): ValueChange[] {
  const changes: ValueChange[] = []
  for (const key of differingKeys(before, after).toSorted()) {
    const isSecret = Object.hasOwn(before.secret, key) || Object.hasOwn(after.secret, key)
    const change = isSecret
      ? findSecretChange({ before, after, sameSecret }, key)
      : findOpenChange(before.open[key], after.open[key])
    if (change === undefined) continue
    const tier = isSecret ? 'secret' : openTierOf(definition, key)
    changes.push({ key, tier, ...change })
  }
  return changes
}

/** Keys whose stored form differs: all that a closer look is worth. */
function differingKeys(before: StoredContent, after: StoredContent): string[] {
  const keys = new Set<string>()
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    for (const key of Object.keys(one.open)) {
      if (one.open[key] !== other.open[key]) keys.add(key)
    }
    for (const key of Object.keys(one.secret)) {
      if (one.secret[key] !== other.secret[key]) keys.add(key)
    }
  }
  return [...keys]
}

/** A key that left the schema, or became secret and was set before, still has an open value to show. */
function openTierOf(definition: Definition, key: string): Tier {
  return definition.get(key)?.tier === 'featureFlags' ? 'featureFlags' : 'public'
}

type Change = Omit<ValueChange, 'key' | 'tier'>

function findOpenChange(
  before: ConfigValue | undefined,
  after: ConfigValue | undefined,
): Change | undefined {
  if (before === after) return undefined
  if (before === undefined) return after === undefined ? undefined : { change: 'added', after }
  return after === undefined ? { change: 'removed', before } : { change: 'changed', before, after }
}

/** A key that is secret on either side shows no value, on neither. */
function findSecretChange(
  { before, after, sameSecret }: Pick<Diff, 'before' | 'after' | 'sameSecret'>,
  key: string,
): Change | undefined {
  const [from, to] = [before.secret[key], after.secret[key]]
  if (from !== undefined && to !== undefined) {
    return from === to || sameSecret?.(key, from, to) === true ? undefined : { change: 'changed' }
  }
  const was = from !== undefined || Object.hasOwn(before.open, key)
  const is = to !== undefined || Object.hasOwn(after.open, key)
  if (was && is) return { change: 'changed' }
  return { change: is ? 'added' : 'removed' }
}

/** What clients see, and by which definition. */
export interface SeenValues {
  readonly definition: Definition
  readonly resolved: ResolvedValues
}

const noValues: SeenValues = { definition: new Map(), resolved: new Map() }

/** What differs for a client, whichever environment set it. */
export function findResolvedChanges(before: SeenValues = noValues, after: SeenValues): KeyChange[] {
  const changes: KeyChange[] = []
  for (const [key, to] of after.resolved) {
    const change = compareResolved(before.resolved.get(key), to)
    const tier = after.definition.get(key)?.tier ?? 'secret'
    if (change !== undefined) changes.push({ key, tier, change })
  }
  for (const [key, from] of before.resolved) {
    if (after.resolved.has(key) || from.source === 'missing') continue
    const tier = before.definition.get(key)?.tier ?? 'secret'
    changes.push({ key, tier, change: 'removed' })
  }
  return changes
}

function compareResolved(
  from: ResolvedValue | undefined,
  to: ResolvedValue,
): KeyChange['change'] | undefined {
  const was = from !== undefined && from.source !== 'missing'
  const is = to.source !== 'missing'
  if (!was) return is ? 'added' : undefined
  if (!is) return 'removed'
  return sameResolved(from, to) ? undefined : 'changed'
}
