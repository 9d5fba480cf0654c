import type { TestRunState } from '@signalbox/contract/rest'
import { testRunVariants, type StateVariant } from './states.ts'

/** Describes the result of a test run, as far as it is known. */
export interface TestCounts {
  readonly state: TestRunState
  readonly passed: number | null
  readonly failed: number | null
  readonly flaky: number | null
  readonly contaminated: boolean
}

/** Returns the badge of a test run: the important number, or the state in a word. */
export function toTestVariant({ state, passed, failed }: TestCounts): StateVariant {
  const variant = testRunVariants[state]
  if (state === 'failed' && failed !== null && failed > 0)
    return { ...variant, word: `${failed} failing` }
  if (state === 'passed' && passed !== null) return { ...variant, word: `${passed} passed` }
  return { ...variant, word: `Tests ${variant.word.toLowerCase()}` }
}

/** Describes a reason to doubt a test run. */
interface TestNote {
  readonly kind: 'flaky' | 'contaminated'
  readonly word: string
  /** Explains the word in one sentence. */
  readonly meaning: string
}

/** Returns the reasons to doubt a test run, shown beside its badge. */
export function toTestNotes({ flaky, contaminated }: TestCounts): readonly TestNote[] {
  const notes: TestNote[] = []
  if (flaky !== null && flaky > 0)
    notes.push({
      kind: 'flaky',
      word: `${flaky} flaky`,
      meaning: `${flaky} ${flaky === 1 ? 'test' : 'tests'} passed only when repeated.`,
    })
  if (contaminated)
    notes.push({
      kind: 'contaminated',
      word: 'unreliable',
      meaning: 'Unreliable: another deployment went live while these tests ran.',
    })
  return notes
}
