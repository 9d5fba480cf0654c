import { useWrite } from '../../api/use-api.ts'
import type { Segment } from '../configs/segments/use-segments.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { SegmentUses } from './segment-uses.tsx'

interface DeleteSegmentProps {
  readonly segment: Segment
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes a segment after its name was typed. One that flags use stays: their rules are listed instead. */
export function DeleteSegment({ segment, onDeleted, onClose }: DeleteSegmentProps) {
  const { params } = useOrganization()
  const { name, version, usesTotal } = segment
  const remove = useWrite('DELETE /organizations/{org_id}/segments/{segment}')
  if (usesTotal > 0) {
    return (
      <Dialog
        title={`${name} is in use`}
        description="These flags use it in their rules. Remove it from the rules first, then delete it."
        onClose={onClose}
      >
        <SegmentUses segment={segment} />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            Back
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete segment"
      typed={name}
      write={remove}
      onConfirm={() =>
        remove.mutate(
          { params: { ...params, segment: name }, ifMatch: version },
          {
            onSuccess: () => {
              showToast({ text: `${name} was deleted.` })
              onDeleted()
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>No flag uses it. This deletes its groups and versions permanently.</p>
    </ConfirmDialog>
  )
}
