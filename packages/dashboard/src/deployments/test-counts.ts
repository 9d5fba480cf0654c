import type { TestRunState } from '@signalbox/contract/rest'
import { testRunLooks, type StateLook } from './states.ts'

/** What a test run came to, as far as it is known. */
export interface TestCounts {
  readonly state: TestRunState
  readonly passed: number | null
  readonly failed: number | null
  readonly flaky: number | null
  readonly contaminated: boolean
}

/** What stands on the badge of a test run: the number that matters, or its state in a word. */
export function toTestLook({ state, passed, failed }: TestCounts): StateLook {
  const look = testRunLooks[state]
  if (state === 'failed' && failed !== null && failed > 0)
    return { ...look, word: `${failed} failing` }
  if (state === 'passed' && passed !== null) return { ...look, word: `${passed} passed` }
  return { ...look, word: `Tests ${look.word.toLowerCase()}` }
}

/** What a reader should know before they trust it, beside the badge. */
export function toTestNotes({ flaky, contaminated }: TestCounts): readonly string[] {
  return [
    ...(flaky !== null && flaky > 0 ? [`${flaky} flaky`] : []),
    ...(contaminated ? ['contaminated'] : []),
  ]
}
