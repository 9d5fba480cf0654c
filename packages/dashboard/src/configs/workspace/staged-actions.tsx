import { Button } from '../../parts/button.tsx'
import type { StagedChanges } from '../staged-store.ts'
import { countChanges } from '../staged.ts'
import type { Check } from '../use-check.ts'

interface StagedActionsProps {
  readonly count: number
  readonly check: Check
  readonly changes: StagedChanges
  readonly onReview: () => void
  /** To be asked first: there is more than one. */
  readonly onDiscard: () => void
}

/** What is staged, to be looked at or thrown away. Nothing of it is live. */
export function StagedActions({ count, check, changes, onReview, onDiscard }: StagedActionsProps) {
  const faults = check.answer?.problems.length ?? 0
  if (count === 0) return null
  return (
    <>
      <Button look="quiet" onClick={() => (count > 1 ? onDiscard() : changes.clear())}>
        Discard
      </Button>
      <Button look="primary" title="Ctrl+S" onClick={onReview}>
        Review {countChanges(count)}
        {faults > 0 && <span>, {faults} refused</span>}
      </Button>
    </>
  )
}
