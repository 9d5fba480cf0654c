export { countBuckets, createBuckets, toUnit } from './bucketing.ts'
export { parseVersionRange, shareConditions, type CompileCondition } from './compile-condition.ts'
export {
  createForeignDeal,
  dealingNames,
  dealings,
  type Dealing,
  type ForeignDeal,
} from './dealings/foreign-deal.ts'
export {
  describeCondition,
  describeFlag,
  describeFlagChange,
  describeRule,
  hasRuledKey,
  type FlagChange,
  type FlagState,
} from './describe-flag.ts'
export { describeSegment, describeSegmentGroup } from './describe-segment.ts'
export {
  createFlagEvaluator,
  type EvaluateFlag,
  type FlagEvaluation,
  type FlagReason,
  type RuledFlag,
} from './evaluate-flag.ts'
export {
  explainFlag,
  findSegmentGroup,
  type ExplainedRule,
  type FlagExplanation,
  type RolloutPosition,
} from './explain-flag.ts'
export { divideServe, findLastAsked, type Division, type Share } from './divide-serve.ts'
export { listSeenAttributes, type SeenAttribute } from './list-seen-attributes.ts'
export { normalizeGroups, normalizeRules } from './normalize-rules.ts'
export {
  parseTargeting,
  targetingKey,
  type Aside,
  type AttributeCondition,
  type EvaluationContext,
  type FlagCondition,
  type FlagRollout,
  type FlagRule,
  type FlagRules,
  type FlagVariant,
  type NumberOperator,
  type SegmentCondition,
  type SegmentGroup,
  type Segments,
  type Serve,
  type ServedSplit,
  type ServedValue,
  type ServedVariant,
  type ShareCondition,
  type SplitPart,
  type Targeting,
  type TextOperator,
  type WrittenRule,
} from './flag-rules.ts'
export { findAsideViolation, isTurnedOff, turnOff, turnOn, type OwnFlag } from './turn-flag.ts'
export { nameServed } from './name-served.ts'
export { explainNoVersion } from './semver.ts'
export {
  countWrittenRules,
  isSegmentCondition,
  listSegmentNames,
  writeOutSegments,
} from './write-out-segments.ts'
