import type { TestRunState } from '@signalbox/contract/rest'
import { testRunVariants, type StateVariant } from './states.ts'

/** Describes what a test run came to, as far as it is known. */
export interface TestCounts {
  readonly state: TestRunState
  readonly passed: number | null
  readonly failed: number | null
  readonly flaky: number | null
  readonly contaminated: boolean
}

/** Returns what stands on the badge of a test run: the number that matters, or its state in a word. */
export function toTestVariant({ state, passed, failed }: TestCounts): StateVariant {
  const variant = testRunVariants[state]
  if (state === 'failed' && failed !== null && failed > 0)
    return { ...variant, word: `${failed} failing` }
  if (state === 'passed' && passed !== null) return { ...variant, word: `${passed} passed` }
  return { ...variant, word: `Tests ${variant.word.toLowerCase()}` }
}

/** Returns what a reader should know before they trust it, beside the badge. */
export function toTestNotes({ flaky, contaminated }: TestCounts): readonly string[] {
  return [
    ...(flaky !== null && flaky > 0 ? [`${flaky} flaky`] : []),
    ...(contaminated ? ['contaminated'] : []),
  ]
}
