import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import type { Environment } from '../../configs/environments.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useOrganization } from '../../shell/organization.ts'

interface DeleteDialogProps {
  readonly environment: Environment
  /** The names of those that inherit from it, which keep it from being deleted. */
  readonly heirs: readonly string[]
  readonly onClose: () => void
}

/** Deletes an environment. One that holds values says so first, and goes only with them. */
export function DeleteDialog({ environment, heirs, onClose }: DeleteDialogProps) {
  const { params } = useOrganization()
  const { id, name, protection, revision } = environment
  const [typed, setTyped] = useState('')
  const [comment, setComment] = useState('')
  const [force, setForce] = useState(false)
  const remove = useWrite('DELETE /organizations/{org_id}/environments/{environment_id}')
  // What inherits from it is known before: it is refused for its values alone.
  const isRefusedForValues = remove.error?.code === 'environment_in_use'
  const holdsValues = isRefusedForValues || force
  const isReady =
    heirs.length === 0 && typed === name && (!protection.comment || comment.trim() !== '')

  const submit = () => {
    if (!isReady || remove.isPending) return
    remove.mutate(
      {
        params: { ...params, environment_id: id },
        query: {
          ...(force && { force: 'true' as const }),
          ...(protection.confirm && { confirm: name }),
          ...(protection.comment && { comment: comment.trim() }),
        },
        ifMatch: revision,
      },
      {
        onSuccess: () => {
          showToast({ text: `${name} was deleted.` })
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>
          Its values and their history are gone for good, and clients that ask for it are refused.
          Deployments stay.
        </p>
        {heirs.length > 0 && (
          <p className="rounded-md bg-warn-ground px-3 py-2 break-words text-warn">
            Give {heirs.join(', ')} another parent first: values that are not set there come from
            here.
          </p>
        )}
        <FormProblem problem={isRefusedForValues ? null : remove.error} />
        {holdsValues && (
          <Checkbox
            label="Delete its values as well"
            hint="It holds values and cannot be deleted without them."
            checked={force}
            onChange={({ target }) => setForce(target.checked)}
          />
        )}
        {protection.comment && (
          <TextField
            label="Why"
            value={comment}
            maxLength={1000}
            required
            onChange={({ target }) => setComment(target.value)}
          />
        )}
        <TextField
          label={`Type ${name} to delete it`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" pending={remove.isPending} disabled={!isReady}>
            Delete environment
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
