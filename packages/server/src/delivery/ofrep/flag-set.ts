import {
  createFlagEvaluator,
  shareConditions,
  type CompileCondition,
  type EvaluateFlag,
  type EvaluationContext,
  type FlagEvaluation,
  type FlagReason,
  type FlagRule,
  type ValueSource,
} from '@signalbox/contract'

/** The flags of an environment as one snapshot has them. */
export interface FlagsOfSnapshot {
  readonly schemaId: string
  /** Where the value of each flag comes from. */
  readonly flagSources: Readonly<Record<string, ValueSource>>
  /** The texts of the rules of those flags that have some. */
  readonly flagRules: Readonly<Record<string, string>>
  /** Those that have a value. */
  readonly featureFlags: Readonly<Record<string, boolean>>
}

/** One flag, decided for a context. */
export interface DecidedFlag extends FlagEvaluation {
  readonly source: ValueSource
  /** What OFREP answers of it, as JSON: an evaluation, or that the context names nobody. ASCII. */
  readonly text: string
  /** Tells the outcomes of one flag apart: a small whole number. */
  readonly outcome: number
}

/** The flags of an environment, prepared for many evaluations. */
export interface FlagSet {
  /** What OFREP answers of each flag, as the items of a JSON array. ASCII. */
  renderAll(context: EvaluationContext): string
  /** `undefined` when there is no such flag. */
  decide(key: string, context: EvaluationContext): DecidedFlag | undefined
}

/** Prepares flags: their rules are read once, and every answer that there can be is written in advance. */
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
  /** What is answered of a flag without rules, whoever asks. */
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

function readRules(text: string | undefined): readonly FlagRule[] {
  if (text === undefined) return []
  const rules: FlagRule[] = JSON.parse(text)
  return rules
}

type Outcomes = Readonly<Record<FlagReason, readonly [off: DecidedFlag, on: DecidedFlag]>>

function decideWith(evaluate: EvaluateFlag, outcomes: Outcomes): PreparedFlag['decide'] {
  return (context) => {
    const { value, reason } = evaluate(context)
    return outcomes[reason][value ? 1 : 0]
  }
}

interface FlagHead {
  readonly key: string
  readonly source: ValueSource
  readonly isFixed: boolean
}

function prepareOutcomes(head: FlagHead): Outcomes {
  let outcome = 0
  const both = (reason: FlagReason) => {
    const decided = (value: boolean): DecidedFlag => {
      const text = JSON.stringify(renderOutcome(head, { value, reason }))
      return { value, reason, source: head.source, text, outcome: outcome++ }
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
 * As OFREP has it. A flag with rules is never `STATIC`, which would allow an answer to be kept for another context; one that
 * is set nowhere is `DISABLED` and says so with its value, because older clients fail without one.
 */
function renderOutcome({ key, source, isFixed }: FlagHead, { value, reason }: FlagEvaluation) {
  if (reason === 'unknown') {
    const errorDetails = 'The flag is rolled out by targetingKey. Give one in the context.'
    return { key, errorCode: 'TARGETING_KEY_MISSING', errorDetails }
  }
  const fixedReason = source === 'missing' ? 'DISABLED' : 'STATIC'
  const evaluatedReason = reason === 'split' ? 'SPLIT' : 'TARGETING_MATCH'
  return { key, value, reason: isFixed ? fixedReason : evaluatedReason }
}

/** What contexts came to, and what is answered to them. */
interface Remembered {
  readonly outcomes: readonly DecidedFlag[]
  readonly text: string
}

/** Sixteen are kept for an environment, each in the place that its outcomes have: one that comes there takes its place. */
const placeBits = 4

/**
 * Renders all flags. Many contexts come to few outcomes, and putting their text together takes longer than deciding: the
 * texts of the last ones are kept (bench/ofrep.ts, P3).
 */
function createRenderAll(flags: readonly PreparedFlag[]): FlagSet['renderAll'] {
  const ruled = flags.filter(({ fixed }) => fixed === undefined)
  const remembered: (Remembered | undefined)[] = Array.from({ length: 2 ** placeBits })
  return (context) => {
    const outcomes = ruled.map(({ decide }) => decide(context))
    const place = placeOf(outcomes)
    const known = remembered[place]
    if (known !== undefined && isSame(known.outcomes, outcomes)) return known.text
    const left = outcomes.values()
    const text = flags.map(({ fixed }) => fixed ?? left.next().value?.text ?? '').join(',')
    remembered[place] = { outcomes, text }
    return text
  }
}

function placeOf(outcomes: readonly DecidedFlag[]): number {
  let hash = 0
  // By 2^32 divided by the golden ratio, which spreads whole numbers over the upper bits.
  for (const { outcome } of outcomes) hash = Math.imul(hash ^ outcome, 0x9e3779b1)
  return hash >>> (32 - placeBits)
}

function isSame(some: readonly DecidedFlag[], others: readonly DecidedFlag[]): boolean {
  return some.every((decided, index) => decided === others[index])
}
