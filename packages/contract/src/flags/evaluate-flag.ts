import { createBuckets, measureShare, toUnit } from './bucketing.ts'
import { compileCondition, type CompileCondition, type Condition } from './compile-condition.ts'
import {
  targetingKey,
  type EvaluationContext,
  type FlagRule,
  type WrittenRule,
} from './flag-rules.ts'

/** Describes a flag in one environment. */
export interface RuledFlag {
  readonly schemaId: string
  readonly key: string
  /** Holds the value that is served when no rule decides. */
  readonly value: boolean
  readonly rules: readonly WrittenRule[]
}

/**
 * Names the reason for a value.
 * - `rule`: the conditions of a rule held.
 * - `split`: they did, and the rule is a rollout.
 * - `value`: no rule decided.
 * - `unknown`: a rollout by `targetingKey` would have decided, and the context has none. `value` is that of the flag.
 */
export type FlagReason = 'rule' | 'split' | 'value' | 'unknown'

/** Describes the value of a flag for a context, with the reason for it. */
export interface FlagEvaluation {
  readonly value: boolean
  readonly reason: FlagReason
}

/** Evaluates one flag for a context. It never throws. Its time grows only with the length of the texts and the rules. */
export type EvaluateFlag = (context: EvaluationContext) => FlagEvaluation

const byRule = outcomes('rule')
const bySplit = outcomes('split')
const byValue = outcomes('value')
const byNobody = outcomes('unknown')

/**
 * Prepares a flag for many evaluations. The first rule whose conditions all hold decides. A rollout by an attribute
 * that the context lacks is skipped, except for `targetingKey`; one of 0% or 100% needs none. Flags that share `compile` share its conditions.
 */
export function createFlagEvaluator(
  flag: RuledFlag,
  compile: CompileCondition = compileCondition,
): EvaluateFlag {
  const steps = flag.rules.map(({ when, serve }) =>
    compileRule(
      when.map((condition) => compile(condition, flag)),
      compileOutcome(flag, serve),
    ),
  )
  return (context) => {
    for (const step of steps) {
      const outcome = step(context)
      if (outcome !== undefined) return outcome
    }
    return byValue(flag.value)
  }
}

type Step = (context: EvaluationContext) => FlagEvaluation | undefined

function compileRule(conditions: readonly Condition[], decide: Step): Step {
  return (context) => {
    for (const holds of conditions) if (!holds(context)) return undefined
    return decide(context)
  }
}

function compileOutcome({ schemaId, key, value }: RuledFlag, serve: FlagRule['serve']): Step {
  if (typeof serve === 'boolean') return () => byRule(serve)
  const { percent, by = targetingKey } = serve
  const { below, serves } = measureShare(percent)
  if (serves !== undefined) return () => byRule(serves)
  const bucketOf = createBuckets(schemaId, key)
  return (context) => {
    const unit = Object.hasOwn(context, by) ? toUnit(context[by]) : undefined
    if (unit !== undefined) return bySplit(bucketOf(unit) < below)
    return by === targetingKey ? byNobody(value) : undefined
  }
}

/** Creates both results of a reason once. */
function outcomes(reason: FlagReason): (value: boolean) => FlagEvaluation {
  const [on, off] = [
    { value: true, reason },
    { value: false, reason },
  ]
  return (value) => (value ? on : off)
}
