import {
  createFlagEvaluator,
  nameServed,
  parseTargeting,
  shareConditions,
  type CompileCondition,
  type ConfigValue,
  type EvaluateFlag,
  type EvaluationContext,
  type FlagEvaluation,
  type Targeting,
  type ValueSource,
} from '@signalbox/contract'
import type { Published } from '../cache/published.ts'

/** Says that a division by `targetingKey` decides, and the context has none. */
export const targetingKeyMissing = 'A rule divides users by targetingKey. Add one to the context.'

/** Holds the flags and targeted keys of an environment as one snapshot has them. */
export interface FlagsOfSnapshot extends Pick<
  Published,
  'schemaId' | 'schema' | 'environment' | 'version'
> {
  /** Maps flags and targeted keys to the source of their value. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** Holds the texts of rules as `PublishedBrowser` does. */
  readonly flagRules: Readonly<Record<string, string>>
  /** Maps flags and targeted keys to the version in which they last changed. Default: that of the snapshot. */
  readonly flagVersions: Readonly<Record<string, number>>
  /** Maps a flag to its value, if it has one. */
  readonly featureFlags: Readonly<Record<string, boolean>>
  /** Maps public keys to their values. */
  readonly values: Readonly<Record<string, ConfigValue>>
}

/**
 * Describes a flag in the words of OpenFeature, which its hooks write to traces. `version` changes with this flag alone: clients
 * report a flag as changed when its metadata are others. It is a text, because hooks of typed languages read no number.
 *
 * @see https://openfeature.dev/specification/appendix-d#flag-metadata
 */
interface FlagMetadata {
  readonly flagSetId: string
  readonly version: string
}

/** Names the flags of a schema in an environment: `web/production`. */
export function nameFlagSet({ schema, environment }: Pick<Published, 'schema' | 'environment'>) {
  return `${schema}/${environment}`
}

/** Describes a flag or a targeted key of a snapshot, with its value where no rule decides. */
export interface RuledKey extends Targeting {
  /** Says whether it is a flag: of a key that is none, the value has another type, or is targeted. */
  readonly isFlag: boolean
  readonly schemaId: string
  readonly key: string
  readonly metadata: FlagMetadata
  readonly source: ValueSource
  readonly value: ConfigValue
}

/** Returns the flags and targeted keys of a snapshot, their rules parsed. */
export function readRuledKeys(snapshot: FlagsOfSnapshot): readonly RuledKey[] {
  const { schemaId, flagSources, flagRules, flagVersions, featureFlags, values } = snapshot
  const flagSetId = nameFlagSet(snapshot)
  const keys = new Set([...Object.keys(flagSources), ...Object.keys(featureFlags)])
  return [...keys].map((key) => {
    const isFlag = !Object.hasOwn(values, key)
    const value = isFlag ? featureFlags[key] : values[key]
    const source = flagSources[key] ?? (value === undefined ? 'missing' : 'set')
    const text = flagRules[key]
    const targeting = text === undefined ? { rules: [] } : parseTargeting(text)
    const metadata = { flagSetId, version: String(flagVersions[key] ?? snapshot.version) }
    return { schemaId, key, isFlag, metadata, source, value: value ?? false, ...targeting }
  })
}

/** Describes the evaluation of one flag for a context. */
export interface DecidedFlag extends FlagEvaluation<ConfigValue> {
  readonly isFlag: boolean
  readonly source: ValueSource
  /** Holds OFREP's answer as ASCII JSON: an evaluation, or an error when the context has no `targetingKey`. */
  readonly text: string
  /** Identifies the outcome among those of the same flag: a small whole number. */
  readonly outcome: number
}

/** Evaluates the flags of one snapshot, which are prepared once for many contexts. */
export interface FlagSet {
  /** Returns OFREP's answers for all flags as the items of a JSON array, in ASCII. */
  renderAll(context: EvaluationContext): string
  /** Returns the evaluation of a flag; `undefined` when there is no such flag. */
  decide(key: string, context: EvaluationContext): DecidedFlag | undefined
}

/** Prepares flags: parses their rules once, and renders each answer the first time. */
export function createFlagSet(snapshot: FlagsOfSnapshot): FlagSet {
  const compile = shareConditions()
  const flags = new Map(
    readRuledKeys(snapshot).map((flag) => [flag.key, prepareFlag(flag, compile)]),
  )
  const renderAll = createRenderAll([...flags.values()])
  return {
    renderAll,
    decide: (key, context) => flags.get(key)?.decide(context),
  }
}

interface PreparedFlag {
  /** Holds the answer for a flag without rules, which is the same for every context. */
  readonly fixed: string | undefined
  readonly decide: (context: EvaluationContext) => DecidedFlag
}

function prepareFlag(flag: RuledKey, compile: CompileCondition): PreparedFlag {
  const isFixed = flag.rules.length === 0
  const decide = decideWith(flag, createFlagEvaluator<ConfigValue>(flag, compile))
  return { fixed: isFixed ? decide({}).text : undefined, decide }
}

/** An evaluator returns one object for each outcome, so an outcome is rendered once. */
function decideWith(flag: RuledKey, evaluate: EvaluateFlag<ConfigValue>): PreparedFlag['decide'] {
  const decided = new Map<FlagEvaluation<ConfigValue>, DecidedFlag>()
  return (context) => {
    const evaluation = evaluate(context)
    const known = decided.get(evaluation)
    if (known !== undefined) return known
    const text = toAscii(JSON.stringify(renderOutcome(flag, evaluation)))
    const { isFlag, source } = flag
    const made = { ...evaluation, isFlag, source, text, outcome: decided.size }
    decided.set(evaluation, made)
    return made
  }
}

/** Writes other characters as JSON may: `\\u00e4`. */
export function toAscii(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Renders an outcome in OFREP's form. A flag with rules is never `STATIC`, which would allow clients to reuse the
 * answer for another context. One that is set nowhere is `DISABLED` and has a value, because older clients fail without
 * one. `variant` and `metadata` are optional in OFREP, and published clients fail without them
 * (testing/ofrep-providers.ts).
 */
function renderOutcome(
  { key, metadata, source, rules }: RuledKey,
  { value, reason, variant = nameServed(value) }: FlagEvaluation<ConfigValue>,
) {
  if (reason === 'unknown') {
    return {
      key,
      errorCode: 'TARGETING_KEY_MISSING',
      errorDetails: targetingKeyMissing,
      metadata,
    }
  }
  const fixedReason = source === 'missing' ? 'DISABLED' : 'STATIC'
  const evaluatedReason = reason === 'split' ? 'SPLIT' : 'TARGETING_MATCH'
  return {
    key,
    value,
    reason: rules.length === 0 ? fixedReason : evaluatedReason,
    variant,
    metadata,
  }
}

/** Holds the text for one combination of outcomes. */
interface Remembered {
  readonly outcomes: readonly DecidedFlag[]
  readonly text: string
}

/**
 * Sixteen texts are cached for a snapshot, each in the slot that its outcomes hash to. A new text replaces the one in
 * its slot.
 */
const slotBits = 4

/**
 * Creates the rendering of all flags. Many contexts have the same outcomes, and joining their texts takes longer than
 * evaluating, so the last texts are cached (bench/ofrep.ts, P3).
 */
function createRenderAll(flags: readonly PreparedFlag[]): FlagSet['renderAll'] {
  const ruled = flags.filter(({ fixed }) => fixed === undefined)
  const remembered: (Remembered | undefined)[] = Array.from({ length: 2 ** slotBits })
  return (context) => {
    const outcomes = ruled.map(({ decide }) => decide(context))
    const slot = slotOf(outcomes)
    const known = remembered[slot]
    if (known !== undefined && isSame(known.outcomes, outcomes)) return known.text
    const left = outcomes.values()
    const text = flags.map(({ fixed }) => fixed ?? left.next().value?.text ?? '').join(',')
    remembered[slot] = { outcomes, text }
    return text
  }
}

function slotOf(outcomes: readonly DecidedFlag[]): number {
  let hash = 0
  // Multiplies by 2^32 divided by the golden ratio, which spreads whole numbers over the upper bits.
  for (const { outcome } of outcomes) hash = Math.imul(hash ^ outcome, 0x9e3779b1)
  return hash >>> (32 - slotBits)
}

function isSame(some: readonly DecidedFlag[], others: readonly DecidedFlag[]): boolean {
  return some.every((decided, index) => decided === others[index])
}
