export { parseVersionRange, shareConditions, type CompileCondition } from './compile-condition.ts'
export {
  createFlagEvaluator,
  type EvaluateFlag,
  type FlagEvaluation,
  type FlagReason,
} from './evaluate-flag.ts'
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
