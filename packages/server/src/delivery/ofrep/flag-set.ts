import {
  createFlagEvaluator,
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
  /** Tells the outcomes of one flag apart: a single character. */
  readonly mark: string
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
  const flags = new Map([...keys].map((key) => [key, prepareFlag(snapshot, key)]))
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
): PreparedFlag {
  const value = featureFlags[key]
  const source = flagSources[key] ?? (value === undefined ? 'missing' : 'set')
  const rules = readRules(flagRules[key])
  const evaluate = createFlagEvaluator({ schemaId, key, value: value ?? false, rules })
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
  const both = (reason: FlagReason) => {
    const decided = (value: boolean) => {
      const text = JSON.stringify(renderOutcome(head, { value, reason }))
      const mark = reason.charAt(0)
      const marked = value ? mark.toUpperCase() : mark
      return { value, reason, source: head.source, text, mark: marked }
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

/** So many contexts with outcomes of their own are remembered for an environment. */
const rememberedMax = 16

/**
 * Renders all flags. Many contexts come to few outcomes, and putting their text together takes longer than deciding: the
 * texts of the last ones are kept (bench/ofrep.ts, P3).
 */
function createRenderAll(flags: readonly PreparedFlag[]): FlagSet['renderAll'] {
  const ruled = flags.filter(({ fixed }) => fixed === undefined)
  const remembered = new Map<string, string>()
  return (context) => {
    const decided = ruled.map(({ decide }) => decide(context))
    let outcomes = ''
    for (const { mark } of decided) outcomes += mark
    const known = remembered.get(outcomes)
    if (known !== undefined) return known
    const left = decided.values()
    const texts = flags.map(({ fixed }) => fixed ?? left.next().value?.text ?? '')
    const text = texts.join(',')
    const [oldest] = remembered.size < rememberedMax ? [] : remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
    remembered.set(outcomes, text)
    return text
  }
}
