export { parseVersionRange, shareConditions, type CompileCondition } from './compile-condition.ts'
export {
  describeCondition,
  describeFlag,
  describeFlagChange,
  describeRule,
  type FlagChange,
  type FlagState,
} from './describe-flag.ts'
export {
  createFlagEvaluator,
  type EvaluateFlag,
  type FlagEvaluation,
  type FlagReason,
  type RuledFlag,
} from './evaluate-flag.ts'
export {
  explainFlag,
  type ExplainedRule,
  type FlagExplanation,
  type RolloutPosition,
} from './explain-flag.ts'
export {
  normalizeRules,
  targetingKey,
  type EvaluationContext,
  type FlagCondition,
  type FlagRollout,
  type FlagRule,
  type FlagRules,
  type NumberOperator,
  type TextOperator,
} from './flag-rules.ts'
