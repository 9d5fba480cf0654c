// What clients run, apart from what only servers and tools do: a program loads every file that its client imports at its start.
export { createFlagEvaluator, type EvaluateFlag } from './flags/evaluate-flag.ts'
export type { WrittenRule } from './flags/flag-rules.ts'
export { isId } from './ids.ts'
export { nearestNames } from './nearest-name.ts'
