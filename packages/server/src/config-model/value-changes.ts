import {
  sameValue,
  type ChangeSource,
  type ConfigValue,
  type Segments,
  type Tier,
} from '@signalbox/contract'
import type { EnvironmentTree } from './environment-tree.ts'
import { isOwnKey, listEdited, type CurrentValues } from './current-values.ts'
import { segmentsIn } from './segment-texts.ts'
import type { Definition } from './definition.ts'
import type { ResolvedValue, ResolvedValues } from './resolve-values.ts'

/** Describes how a key was changed, without its values. */
export interface KeyChange {
  readonly key: string
  readonly tier: Tier
  readonly change: 'added' | 'changed' | 'removed'
}

/**
 * Describes a change with the values that clients had before and have after it, and their sources. A secret has no
 * values. Neither has an open key that is stored differently and read as before.
 */
export interface ValueChange extends KeyChange {
  readonly before?: ConfigValue
  readonly after?: ConfigValue
  /** The texts of a flag's rules, each where there are some. */
  readonly rulesBefore?: string
  readonly rulesAfter?: string
  /** The segments that changed, where the rules refer to them and stay as they are. */
  readonly segments?: readonly string[]
  /** Where the value came from, and comes from; absent where there is none. */
  readonly sourceBefore?: ChangeSource
  readonly sourceAfter?: ChangeSource
}

/**
 * Holds what an environment set itself at some moment: values of open tiers, texts of rules, and sealed secrets as
 * base64.
 */
export interface StoredContent {
  readonly open: Readonly<Record<string, ConfigValue>>
  /** The texts of the rules of those flags that had some. */
  readonly rules: Readonly<Record<string, string>>
  readonly secret: Readonly<Record<string, string>>
}

function contentOf({ openValues, secretValues }: CurrentValues): StoredContent {
  const open: Record<string, ConfigValue> = {}
  const rules: Record<string, string> = {}
  const secret: Record<string, string> = {}
  for (const key of Object.keys(openValues)) {
    const entry = openValues[key]
    if (entry === undefined) continue
    open[key] = entry.value
    if (entry.rules !== undefined) rules[key] = entry.rules
  }
  for (const key of Object.keys(secretValues)) {
    const entry = secretValues[key]
    if (entry !== undefined) secret[key] = entry.sealed
  }
  return { open, rules, secret }
}

/** Returns the keys whose stored form differs, sorted by name. Another seal is another value. */
function listStoredChanges(
  definition: Definition,
  was: CurrentValues,
  is: CurrentValues,
): KeyChange[] {
  return listEdited(was, is)
    .filter((key) => !isStoredAlike(key, was, is))
    .toSorted()
    .map((key) => {
      const isSecret = Object.hasOwn(was.secretValues, key) || Object.hasOwn(is.secretValues, key)
      const tier = isSecret ? 'secret' : openTierOf(definition, key)
      return { key, tier, change: kindOfChange(isOwnKey(was, key), isOwnKey(is, key)) }
    })
}

function isStoredAlike(key: string, one: CurrentValues, other: CurrentValues): boolean {
  return (
    sameValue(one.openValues[key]?.value, other.openValues[key]?.value) &&
    one.openValues[key]?.rules === other.openValues[key]?.rules &&
    one.secretValues[key]?.sealed === other.secretValues[key]?.sealed
  )
}

/** Returns the tier of an open value. A key that left the schema still has one to delete: it counts as public. */
function openTierOf(definition: Definition, key: string): Tier {
  return definition.get(key)?.tier === 'featureFlags' ? 'featureFlags' : 'public'
}

/** Returns how a key changed that had a value before or not (`was`), and has one now or not (`is`). */
export function kindOfChange(was: boolean, is: boolean): KeyChange['change'] {
  if (!was) return 'added'
  return is ? 'changed' : 'removed'
}

/** Holds the values that clients see, and the definition they were resolved by. */
export interface VisibleValues {
  readonly definition: Definition
  readonly resolved: ResolvedValues
  readonly segments: Segments
  /** Names the environments that values are inherited from. */
  readonly tree: EnvironmentTree
}

const noValues: VisibleValues = {
  definition: new Map(),
  resolved: new Map(),
  segments: {},
  tree: new Map(),
}

/**
 * Returns what differs for a client, sorted by name, whichever environment set it. A key that is secret on either side
 * shows no value.
 */
export function findVisibleChanges(
  before: VisibleValues = noValues,
  after: VisibleValues,
): ValueChange[] {
  const segments = findChangedSegments(before.segments, after.segments)
  const keys = new Set([...after.resolved.keys(), ...before.resolved.keys()])
  // A key that resolves to the same object is unchanged, unless a segment makes a difference.
  const differing = [...keys].filter(
    (key) => segments.size > 0 || before.resolved.get(key) !== after.resolved.get(key),
  )
  return differing.toSorted().flatMap((key) => {
    const tiers = [after, before].flatMap(({ definition }) => definition.get(key)?.tier ?? [])
    const tier = tiers.includes('secret') ? 'secret' : (tiers[0] ?? 'secret')
    const [from, to] = [before.resolved.get(key), after.resolved.get(key)]
    const change =
      compareResolved({ key, tier }, from, to) ?? compareSegments(segments, { key, tier }, to)
    if (change === undefined) return []
    const sources = [sourceOf(before.tree, from), sourceOf(after.tree, to)] as const
    return { ...change, ...sourcesOf(...sources) }
  })
}

/** Returns the names of the segments whose groups differ. */
function findChangedSegments(before: Segments, after: Segments): ReadonlySet<string> {
  if (before === after) return new Set()
  return new Set(
    Object.keys(after).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    ),
  )
}

/** Returns the change of a flag whose rules stay and refer to a changed segment. */
function compareSegments(
  changed: ReadonlySet<string>,
  { key, tier }: Pick<KeyChange, 'key' | 'tier'>,
  { value, rules }: ResolvedValue = missing,
): ValueChange | undefined {
  if (changed.size === 0 || rules === undefined) return undefined
  const segments = segmentsIn(rules).filter((name) => changed.has(name))
  if (segments.length === 0) return undefined
  const same = { ...valuesOf(value, value), ...rulesOf(rules, rules) }
  return { key, tier, change: 'changed', ...same, segments }
}

/** Returns the source of a value as a change records it; `undefined` where there is no value. */
export function sourceOf(
  tree: EnvironmentTree,
  { source, environmentId }: ResolvedValue = missing,
): ChangeSource | undefined {
  if (source === 'missing') return undefined
  if (source !== 'inherited' || environmentId === undefined) return { source }
  const name = tree.get(environmentId)?.name
  return { source, environmentId, ...(name !== undefined && { environment: name }) }
}

/** Returns the sources of a key before and after a change, those that there are. */
export function sourcesOf(
  before: ChangeSource | undefined,
  after: ChangeSource | undefined,
): Pick<ValueChange, 'sourceBefore' | 'sourceAfter'> {
  return {
    ...(before !== undefined && { sourceBefore: before }),
    ...(after !== undefined && { sourceAfter: after }),
  }
}

const missing: ResolvedValue = { source: 'missing' }

function compareResolved(
  { key, tier }: Pick<KeyChange, 'key' | 'tier'>,
  from: ResolvedValue = missing,
  to: ResolvedValue = missing,
): ValueChange | undefined {
  const [was, is] = [from.source !== 'missing', to.source !== 'missing']
  if (was === is && sameResolved(from, to)) return undefined
  const change = kindOfChange(was, is)
  return tier === 'secret' || from.sealed !== undefined || to.sealed !== undefined
    ? { key, tier: 'secret', change }
    : { key, tier, change, ...valuesOf(from.value, to.value), ...rulesOf(from.rules, to.rules) }
}

/** Returns whether a client would notice no difference. A secret sealed again counts as changed. */
function sameResolved(one: ResolvedValue, other: ResolvedValue): boolean {
  return (
    one.source === other.source &&
    sameValue(one.value, other.value) &&
    one.rules === other.rules &&
    one.sealed === other.sealed &&
    (one.sealed === undefined || one.environmentId === other.environmentId)
  )
}

/** Returns the values of an open key before and after a change, those that there are. */
export function valuesOf(
  before: ConfigValue | undefined,
  after: ConfigValue | undefined,
): Pick<ValueChange, 'before' | 'after'> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

/** Returns the rules of a flag before and after a change, those that there are. */
export function rulesOf(
  before: string | undefined,
  after: string | undefined,
): Pick<ValueChange, 'rulesBefore' | 'rulesAfter'> {
  return {
    ...(before !== undefined && { rulesBefore: before }),
    ...(after !== undefined && { rulesAfter: after }),
  }
}

/** Holds what a version records: its changes, and what the environment sets itself from then on. */
export interface RecordedContent {
  readonly changes: readonly ValueChange[]
  readonly content: StoredContent
}

/**
 * Returns what a version records: what differs for clients (`visible`) and, where the environment was written to
 * itself, the keys that it sets differently without any difference to clients. `was` is left out for a first version, and
 * where the environment was not written to.
 */
export function recordContent(
  definition: Definition,
  visible: readonly ValueChange[],
  was: CurrentValues | undefined,
  is: CurrentValues,
): RecordedContent {
  const own = was === undefined ? [] : listStoredChanges(definition, was, is)
  return { changes: joinChanges(visible, own), content: contentOf(is) }
}

function joinChanges(
  visible: readonly ValueChange[],
  own: readonly KeyChange[],
): readonly ValueChange[] {
  const ownChanges = new Map(own.map((entry) => [entry.key, entry.change]))
  const merged = visible.map((entry) => {
    const change = ownChanges.get(entry.key)
    // Where clients read the same value, the environment began or ceased to set it.
    return change !== undefined && isSameValue(entry) ? { ...entry, change } : entry
  })
  const visibleKeys = new Set(visible.map(({ key }) => key))
  const others = own.filter(({ key }) => !visibleKeys.has(key))
  return [...merged, ...others].toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

function isSameValue({
  before,
  after,
  rulesBefore,
  rulesAfter,
}: Omit<ValueChange, 'key'>): boolean {
  return before !== undefined && sameValue(before, after) && rulesBefore === rulesAfter
}
