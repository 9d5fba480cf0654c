import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { toAskedOf, useEnvironments } from '../../configs/environments.ts'
import type { ConfigSchema } from '../../configs/schema-picker.tsx'
import { toBody } from '../../configs/use-save.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useOrganization } from '../../shell/organization.ts'

interface DeleteDialogProps {
  readonly schema: ConfigSchema
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes a schema. One with values says so first, and goes only with them. */
export function DeleteDialog({ schema, onDeleted, onClose }: DeleteDialogProps) {
  const { params } = useOrganization()
  const { data: environments = [] } = useEnvironments()
  const { id, name, revision } = schema
  const [typed, setTyped] = useState('')
  const [comment, setComment] = useState('')
  const [force, setForce] = useState(false)
  const remove = useWrite('DELETE /organizations/{org_id}/config-schemas/{schema_id}')
  const isRefusedForValues = remove.error?.code === 'schema_in_use'
  const isExplained = environments.some(({ protection }) => protection.comment)
  const isReady = typed === name && (!isExplained || comment.trim() !== '')

  const submit = () => {
    if (!isReady || remove.isPending) return
    // Whoever types the name of the schema means all of it: every environment that wants its own name is given it.
    const consent = toBody({ confirm: toAskedOf(environments).names, comment })
    remove.mutate(
      {
        params: { ...params, schema_id: id },
        query: { ...(force && { force: 'true' as const }), ...consent },
        ifMatch: revision,
      },
      {
        onSuccess: () => {
          showToast({ text: `${name} was deleted.` })
          onDeleted()
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
          Its keys, their values in every environment and their history are gone for good, and
          clients that ask for it are refused.
        </p>
        <FormProblem problem={isRefusedForValues ? null : remove.error} />
        {(isRefusedForValues || force) && (
          <Checkbox
            label="Delete its values as well"
            hint="Environments hold values for it, and it cannot be deleted without them."
            checked={force}
            onChange={({ target }) => setForce(target.checked)}
          />
        )}
        {isExplained && (
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
            Delete schema
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
