import { createHash } from 'node:crypto'
import type { ChangeSource, ConfigValue, Segments, Tier } from '@signalbox/contract'
import type { EnvironmentProtection } from '@signalbox/contract/rest'
import type { CurrentValues } from './current-values.ts'
import { isFlag, type KeyRule } from './definition.ts'
import type { ResolvedValue } from './resolve-values.ts'
import { segmentsIn, turnsOff } from './segment-texts.ts'
import { sourceOf, type ValueChange, type VisibleValues } from './value-changes.ts'

/** Describes what readers get of a key, or of an environment or a schema as a whole. */
export interface EffectSide {
  readonly value?: ConfigValue
  /** The text of the rules. */
  readonly rules?: string
  /** A digest of the segments that the rules refer to: readers get what these say, and not their names. */
  readonly segmentsDigest?: string
  /** A secret as it is stored, at the environment that sets it or as a default; or a value that was open or becomes it. */
  readonly secret?:
    | { readonly sealed: string; readonly environmentId: string | undefined }
    | { readonly text: string }
  readonly name?: string
  /** Names the parent. `null`: none. */
  readonly parent?: string | null
  readonly protection?: EnvironmentProtection
  /** Describes a signal that the policy of the environment names, without its credential. */
  readonly signal?: { readonly id: string; readonly name: string; readonly spec: string }
}

/** Describes what changes for the readers of one environment. */
export interface Effect {
  readonly environmentId: string
  readonly environment: string
  /** `null`: the environment itself changes. */
  readonly schemaId: string | null
  readonly schema: string | null
  /** `null`: the environment or the schema changes as a whole. */
  readonly key: string | null
  readonly tier: Tier | null
  /** `null`: there was nothing. */
  readonly before: EffectSide | null
  /** `null`: there is nothing afterwards. */
  readonly after: EffectSide | null
  readonly source: ChangeSource | null
  readonly segments?: readonly string[]
  /** Says that a value of an earlier time comes back. */
  readonly returns?: true
  /**
   * Says that the effect may need no approval. `default`: a new key has its default everywhere. `off`: a kill switch turns its
   * flag off.
   */
  readonly lenient?: 'default' | 'off'
}

/** Returns the part of an effect that says that an environment changes as a whole. */
export function wholeEnvironment({ id, name }: { readonly id: string; readonly name: string }) {
  return {
    environmentId: id,
    environment: name,
    schemaId: null,
    schema: null,
    key: null,
    tier: null,
    source: null,
  } as const
}

/** Describes an environment as its readers see it. */
export interface SeenEnvironment extends VisibleValues {
  readonly current: CurrentValues
  readonly target: Pick<Effect, 'environmentId' | 'environment'> & {
    readonly schemaId: string
    readonly schema: string
  }
}

/**
 * Returns what changes for the readers of an environment: the keys that look different (`visible`), those whose declaration
 * changes something that a reader depends on, and names. Nobody has read what comes before a first version.
 */
export function findEffects(
  was: SeenEnvironment | undefined,
  is: SeenEnvironment,
  visible: readonly ValueChange[],
): Effect[] {
  if (was === undefined || was.current.version === 0) return []
  const changes = new Map(visible.map((change) => [change.key, change]))
  const keys = [...changes.keys(), ...findRedeclared(was, is).filter((key) => !changes.has(key))]
  return [
    ...findRenames(was, is),
    ...keys.map((key) => describeKey(was, is, key, changes.get(key)?.segments)),
  ]
}

function describeKey(
  was: SeenEnvironment,
  is: SeenEnvironment,
  key: string,
  segments: readonly string[] | undefined,
): Effect {
  const [from, to] = [was.resolved.get(key), is.resolved.get(key)]
  const [old, rule] = [was.definition.get(key), is.definition.get(key)]
  const isSecret = from?.sealed !== undefined || to?.sealed !== undefined
  const kind = old === undefined ? describeNew(was.current, key, to) : describeTurn(old, from, to)
  return {
    ...is.target,
    key,
    tier: (rule ?? old)?.tier ?? null,
    before: toSide(from, isSecret, was.segments),
    after: toSide(to, isSecret, is.segments),
    source: sourceOf(is.tree, to) ?? sourceOf(was.tree, from) ?? null,
    ...(segments !== undefined && { segments }),
    ...kind,
  }
}

type EffectKind = Pick<Effect, 'returns' | 'lenient'>

function describeNew(
  current: CurrentValues,
  key: string,
  to: ResolvedValue | undefined,
): EffectKind {
  if (to?.source === 'default') return { lenient: 'default' }
  return to?.entry !== undefined && isStored(current, key, to) ? { returns: true } : {}
}

/** Says whether all that changes is that a flag with a kill switch is off for everyone. */
function describeTurn(
  old: KeyRule,
  from: ResolvedValue | undefined,
  to: ResolvedValue | undefined,
): EffectKind {
  if (!isFlag(old) || old.killSwitch !== true) return {}
  return turnsOff(to?.rules) && !turnsOff(from?.rules) ? { lenient: 'off' } : {}
}

/** Returns whether a value was stored before its key was declared again, here or in an environment that this one inherits from. */
function isStored({ environmentId, ...current }: CurrentValues, key: string, to: ResolvedValue) {
  if (to.environmentId !== environmentId) return true
  return [current.openValues[key], current.secretValues[key]].some((entry) => entry === to.entry)
}

/** Returns what readers get. Hides both sides where one is a secret: the other has been or will be sealed as well. */
export function toSide(
  resolved: ResolvedValue | undefined,
  isSecret: boolean,
  segments: Segments,
): EffectSide | null {
  if (resolved === undefined || resolved.source === 'missing') return null
  const { value, rules, sealed, environmentId } = resolved
  if (sealed !== undefined) return { secret: { sealed, environmentId } }
  if (isSecret) return { secret: { text: JSON.stringify(value) } }
  return {
    ...(value !== undefined && { value }),
    ...(rules !== undefined && { rules, ...digestOf(segmentsIn(rules), segments) }),
  }
}

function digestOf(
  names: readonly string[],
  segments: Segments,
): Pick<EffectSide, 'segmentsDigest'> | undefined {
  if (names.length === 0) return undefined
  const text = JSON.stringify(names.map((name) => [name, segments[name]]))
  return { segmentsDigest: createHash('sha256').update(text).digest('base64url') }
}

/** Returns the keys of both definitions that readers get in another place or under another name, or whose flag becomes a kill switch. */
function findRedeclared(was: SeenEnvironment, is: SeenEnvironment): string[] {
  if (was.definition === is.definition) return []
  return [...is.definition].flatMap(([key, rule]) => {
    const old = was.definition.get(key)
    if (old === undefined) return []
    const isLoosened = rule.killSwitch === true && old.killSwitch !== true
    return isLoosened || readersPart(old) !== readersPart(rule) ? [key] : []
  })
}

function readersPart({ type, tier, variable, targeted, variants }: KeyRule): string {
  return JSON.stringify([type, tier, variable, targeted, variants])
}

function findRenames(was: SeenEnvironment, is: SeenEnvironment): Effect[] {
  const whole = { key: null, tier: null, source: null } as const
  const renames: Effect[] = []
  if (was.target.environment !== is.target.environment) {
    const [before, after] = [{ name: was.target.environment }, { name: is.target.environment }]
    renames.push({ ...is.target, ...whole, schemaId: null, schema: null, before, after })
  }
  if (was.target.schema !== is.target.schema) {
    const [before, after] = [{ name: was.target.schema }, { name: is.target.schema }]
    renames.push({ ...is.target, ...whole, before, after })
  }
  return renames
}
