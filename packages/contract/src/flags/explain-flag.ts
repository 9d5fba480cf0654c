import type { ConfigValue } from '../values/value-types.ts'
import { bucketsTotal, createBuckets, toUnit } from './bucketing.ts'
import { compileCondition, type Condition, type DealtFlag } from './compile-condition.ts'
import { divideServe, type Division } from './divide-serve.ts'
import { createFlagEvaluator, type FlagEvaluation, type RuledFlag } from './evaluate-flag.ts'
import type {
  EvaluationContext,
  FlagCondition,
  FlagRule,
  SegmentGroup,
  Segments,
} from './flag-rules.ts'
import { isSegmentCondition, writeOutSegments } from './write-out-segments.ts'

/** Describes the position of a context in a division. */
export interface RolloutPosition {
  /** Names the attribute that decides. */
  readonly by: string
  /** Holds the value of that attribute. Absent: the context has none that counts. */
  readonly unit?: string
  /** Holds the bucket as a percentage: 0 to 99.999. */
  readonly at?: number
  /** Holds the outcomes in the order of the buckets. */
  readonly shares: Division['shares']
}

/** Describes a rule in the evaluation of one context. */
export interface ExplainedRule {
  /** Says for each condition whether it holds. */
  readonly conditions: readonly boolean[]
  /** Says whether all conditions hold. */
  readonly holds: boolean
  readonly rollout?: RolloutPosition
}

/** Describes the evaluation of a flag for one context, with the way to it. */
export interface FlagExplanation<V extends ConfigValue = boolean> extends FlagEvaluation<V> {
  /** Holds the index of the rule that decided. Absent: none did, and the value of the flag is served. */
  readonly decidedBy?: number
  readonly rules: readonly ExplainedRule[]
}

/** Describes a flag whose rules may refer to segments. */
export interface ExplainableFlag<V extends ConfigValue = boolean> extends Omit<
  RuledFlag<V>,
  'rules'
> {
  readonly rules: readonly FlagRule[]
}

/**
 * Evaluates a flag for a context with `createFlagEvaluator`, as clients do, and returns the reasons along with the value.
 * `segments` has the groups of each segment that the rules refer to.
 */
export function explainFlag<V extends ConfigValue = boolean>(
  flag: ExplainableFlag<V>,
  context: EvaluationContext,
  segments: Segments = {},
): FlagExplanation<V> {
  const evaluate = (rules: readonly FlagRule[]) =>
    createFlagEvaluator({ ...flag, rules: writeOutSegments(rules, segments) })(context)
  const decidedBy = flag.rules.findIndex(
    (_, index) => evaluate(flag.rules.slice(0, index + 1)).reason !== 'value',
  )
  return {
    ...evaluate(flag.rules),
    ...(decidedBy !== -1 && { decidedBy }),
    rules: flag.rules.map((rule) => explainRule(flag, rule, { context, segments })),
  }
}

interface ExplainedFor {
  readonly context: EvaluationContext
  readonly segments: Segments
}

function explainRule(
  { schemaId, key }: DealtFlag,
  { when, serve }: FlagRule,
  { context, segments }: ExplainedFor,
): ExplainedRule {
  const flag = { schemaId, key }
  const conditions = when.map((condition) => compileAny(condition, segments, flag)(context))
  const explained = { conditions, holds: conditions.every(Boolean) }
  const { by, shares } = divideServe(serve)
  if (by === undefined) return explained
  const unit = Object.hasOwn(context, by) ? toUnit(context[by]) : undefined
  if (unit === undefined) return { ...explained, rollout: { by, shares } }
  const at = (createBuckets(schemaId, key)(unit) * 100) / bucketsTotal
  return { ...explained, rollout: { by, unit, at, shares } }
}

/** Compiles a condition as it is stored: a segment is looked up. */
function compileAny(condition: FlagCondition, segments: Segments, flag: DealtFlag): Condition {
  if (!isSegmentCondition(condition)) return compileCondition(condition, flag)
  const { segment, not } = condition
  const groups = Object.hasOwn(segments, segment) ? segments[segment] : undefined
  if (groups === undefined) return () => false
  return (context) => (findSegmentGroup(groups, context, flag) !== undefined) !== (not === true)
}

/**
 * Returns the index of the first group that a context is in, for a rule of `flag`. `undefined`: the context is outside of
 * the segment.
 */
export function findSegmentGroup(
  groups: readonly SegmentGroup[],
  context: EvaluationContext,
  flag: DealtFlag,
): number | undefined {
  const index = groups.findIndex(({ when }) =>
    when.every((condition) => compileCondition(condition, flag)(context)),
  )
  return index === -1 ? undefined : index
}
