import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import type { StagedChanges } from '../staged-store.ts'
import { countChanges } from '../staged.ts'

interface DiscardDialogProps {
  readonly count: number
  readonly changes: StagedChanges
  readonly onClose: () => void
}

/** Asks for confirmation before all staged changes are discarded. */
export function DiscardDialog({ count, changes, onClose }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      title={`Discard ${countChanges(count)}?`}
      action="Discard"
      onConfirm={() => {
        changes.clear()
        onClose()
      }}
      onClose={onClose}
    >
      Your unsaved changes will be lost.
    </ConfirmDialog>
  )
}
