import { Button } from '../../../components/button.tsx'
import { countChanges } from '../staged.ts'
import type { Workspace } from './use-workspace.ts'

interface StagedActionsProps {
  readonly workspace: Pick<Workspace, 'model' | 'staged' | 'check'>
  readonly onReview: () => void
  /** Discards the changes. It asks first when there is more than one. */
  readonly onDiscard: () => void
}

/** Renders the buttons that review or discard the staged changes. */
export function StagedActions({ workspace, onReview, onDiscard }: StagedActionsProps) {
  const { model, staged, check } = workspace
  const count = staged.length
  const errors = check.answer?.problems.length ?? 0
  if (count === 0 || !model.mayWrite) return null
  return (
    <>
      <Button variant="quiet" onClick={() => (count > 1 ? onDiscard() : model.staged.clear())}>
        Discard
      </Button>
      <Button variant="primary" title="Ctrl+S" onClick={onReview}>
        {`Review ${countChanges(count)}${errors > 0 ? `, ${errors} refused` : ''}`}
      </Button>
    </>
  )
}
