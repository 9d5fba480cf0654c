// Holds what clients run, and nothing of servers and tools: a program loads every file that its client imports when it starts.
export { createFlagEvaluator, type EvaluateFlag } from './flags/evaluate-flag.ts'
export { parseTargeting } from './flags/flag-rules.ts'
export type { EvaluationContext, Targeting, WrittenRule } from './flags/flag-rules.ts'
export type { ConfigValue } from './values/value-types.ts'
export { isId } from './ids.ts'
export { limits } from './limits.ts'
export { nearestNames } from './nearest-name.ts'
