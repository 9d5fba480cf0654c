// Holds what clients run, and nothing of servers and tools: a program loads every file that its client imports when it starts.
export { createFlagEvaluator, type EvaluateFlag } from './flags/evaluate-flag.ts'
export type { WrittenRule } from './flags/flag-rules.ts'
export { isId } from './ids.ts'
export { nearestNames } from './nearest-name.ts'
