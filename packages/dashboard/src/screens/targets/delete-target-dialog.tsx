import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Target } from './target.ts'

interface DeleteTargetDialogProps {
  readonly target: Target
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes a target, after a person has said what happens to the names that it wrote. */
export function DeleteTargetDialog({ target, onDeleted, onClose }: DeleteTargetDialogProps) {
  const { params } = useOrganization()
  const [names, setNames] = useState<'keep' | 'remove'>('keep')
  const remove = useWrite('DELETE /organizations/{org_id}/targets/{target_id}')
  const { id, name, destinationName, names: count } = target
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete target"
      write={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { ...params, target_id: id }, query: { names } },
          { onSuccess: names === 'keep' ? onDeleted : onClose },
        )
      }
    >
      <p className="mb-3 wrap-anywhere">
        Signalbox stops writing to {destinationName}. You can’t undo this.
      </p>
      {count > 0 && (
        <RadioGroup
          legend={count === 1 ? 'The name that it wrote' : `The ${count} names that it wrote`}
          name="names"
          value={names}
          onChange={setNames}
          options={[
            {
              value: 'keep',
              label: 'Keep them there',
              help: 'Their values stay as they are, and no longer follow.',
            },
            {
              value: 'remove',
              label: 'Remove them',
              help: 'What reads them there fails from then on. The target goes when all are removed.',
            },
          ]}
        />
      )}
    </ConfirmDialog>
  )
}
