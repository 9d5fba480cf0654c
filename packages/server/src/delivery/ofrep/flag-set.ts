import {
  createFlagEvaluator,
  shareConditions,
  type CompileCondition,
  type EvaluateFlag,
  type EvaluationContext,
  type FlagEvaluation,
  type FlagReason,
  type WrittenRule,
  type ValueSource,
} from '@signalbox/contract'

/** Holds the flags of an environment as one snapshot has them. */
export interface FlagsOfSnapshot {
  readonly schemaId: string
  /** Maps a flag to the source of its value. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** Maps a flag with rules to their JSON text. */
  readonly flagRules: Readonly<Record<string, string>>
  /** Maps a flag to its value, if it has one. */
  readonly featureFlags: Readonly<Record<string, boolean>>
}

/** Describes the evaluation of one flag for a context. */
export interface DecidedFlag extends FlagEvaluation {
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

/** Prepares flags: parses their rules once, and renders every possible answer in advance. */
export function createFlagSet(snapshot: FlagsOfSnapshot): FlagSet {
  const { flagSources, featureFlags } = snapshot
  const keys = new Set([...Object.keys(flagSources), ...Object.keys(featureFlags)])
  const compile = shareConditions()
  const flags = new Map([...keys].map((key) => [key, prepareFlag(snapshot, key, compile)]))
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

function prepareFlag(
  { schemaId, flagSources, flagRules, featureFlags }: FlagsOfSnapshot,
  key: string,
  compile: CompileCondition,
): PreparedFlag {
  const value = featureFlags[key]
  const source = flagSources[key] ?? (value === undefined ? 'missing' : 'set')
  const rules = readRules(flagRules[key])
  const evaluate = createFlagEvaluator({ schemaId, key, value: value ?? false, rules }, compile)
  const isFixed = rules.length === 0
  const outcomes = prepareOutcomes({ key, source, isFixed })
  const decide = decideWith(evaluate, outcomes)
  return { fixed: isFixed ? decide({}).text : undefined, decide }
}

function readRules(text: string | undefined): readonly WrittenRule[] {
  if (text === undefined) return []
  const rules: WrittenRule[] = JSON.parse(text)
  return rules
}

type Outcomes = Readonly<Record<FlagReason, readonly [off: DecidedFlag, on: DecidedFlag]>>

function decideWith(evaluate: EvaluateFlag, outcomes: Outcomes): PreparedFlag['decide'] {
  return (context) => {
    const { value, reason } = evaluate(context)
    return outcomes[reason][value ? 1 : 0]
  }
}

interface FlagDescription {
  readonly key: string
  readonly source: ValueSource
  readonly isFixed: boolean
}

function prepareOutcomes(flag: FlagDescription): Outcomes {
  let outcome = 0
  const both = (reason: FlagReason) => {
    const decided = (value: boolean): DecidedFlag => {
      const text = JSON.stringify(renderOutcome(flag, { value, reason }))
      return { value, reason, source: flag.source, text, outcome: outcome++ }
    }
    return [decided(false), decided(true)] as const
  }
  return {
    rule: both('rule'),
    split: both('split'),
    value: both('value'),
    unknown: both('unknown'),
  }
}

/**
 * Renders an outcome in OFREP's form. A flag with rules is never `STATIC`, which would allow clients to reuse the
 * answer for another context. One that is set nowhere is `DISABLED` and has a value, because older clients fail without
 * one. `variant` and `metadata` are optional in OFREP, and published clients fail without them
 * (testing/ofrep-providers.ts). The metadata are empty: anything that changes would have clients report every flag.
 */
function renderOutcome(
  { key, source, isFixed }: FlagDescription,
  { value, reason }: FlagEvaluation,
) {
  if (reason === 'unknown') {
    const errorDetails = 'The flag has a rollout by targetingKey. Add one to the context.'
    return { key, errorCode: 'TARGETING_KEY_MISSING', errorDetails, metadata: {} }
  }
  const fixedReason = source === 'missing' ? 'DISABLED' : 'STATIC'
  const evaluatedReason = reason === 'split' ? 'SPLIT' : 'TARGETING_MATCH'
  return {
    key,
    value,
    reason: isFixed ? fixedReason : evaluatedReason,
    variant: value ? 'on' : 'off',
    metadata: {},
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
