import { bucketsTotal, createBuckets, toUnit } from './bucketing.ts'
import { compileCondition } from './compile-condition.ts'
import { createFlagEvaluator, type FlagEvaluation, type RuledFlag } from './evaluate-flag.ts'
import { targetingKey, type EvaluationContext, type FlagRule } from './flag-rules.ts'

/** Describes the position of a context in a rollout. */
export interface RolloutPosition {
  /** Names the attribute that decides. */
  readonly by: string
  /** Holds the value of that attribute. Absent: the context has none that counts. */
  readonly unit?: string
  /** Holds the bucket as a percentage: 0 to 99.999. */
  readonly at?: number
  readonly percent: number
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
export interface FlagExplanation extends FlagEvaluation {
  /** Holds the index of the rule that decided. Absent: none did, and the value of the flag is served. */
  readonly decidedBy?: number
  readonly rules: readonly ExplainedRule[]
}

/** Evaluates a flag for a context with `createFlagEvaluator`, and returns the reasons along with the value. */
export function explainFlag(flag: RuledFlag, context: EvaluationContext): FlagExplanation {
  const evaluation = createFlagEvaluator(flag)(context)
  const decidedBy = flag.rules.findIndex((_, index) => {
    const rules = flag.rules.slice(0, index + 1)
    return createFlagEvaluator({ ...flag, rules })(context).reason !== 'value'
  })
  return {
    ...evaluation,
    ...(decidedBy !== -1 && { decidedBy }),
    rules: flag.rules.map((rule) => explainRule(flag, rule, context)),
  }
}

function explainRule(
  { schemaId, key }: RuledFlag,
  { when, serve }: FlagRule,
  context: EvaluationContext,
): ExplainedRule {
  const conditions = when.map((condition) => compileCondition(condition)(context))
  const explained = { conditions, holds: conditions.every(Boolean) }
  if (typeof serve === 'boolean') return explained
  const { percent, by = targetingKey } = serve
  const unit = Object.hasOwn(context, by) ? toUnit(context[by]) : undefined
  if (unit === undefined) return { ...explained, rollout: { by, percent } }
  const at = (createBuckets(schemaId, key)(unit) * 100) / bucketsTotal
  return { ...explained, rollout: { by, unit, at, percent } }
}
