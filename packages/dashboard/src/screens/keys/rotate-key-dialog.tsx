import { useState, type FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import type { ApiKey } from './key-row.tsx'
import { NewSecret } from './new-secret.tsx'

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

export function RotateKeyDialog({ apiKey, onClose }: RotateKeyDialogProps) {
  const { params } = useOrganization()
  const rotate = useWrite('POST /organizations/{org_id}/api-keys/{key_id}/rotate')
  const [rotated, setRotated] =
    useState<AnswerOf<'POST /organizations/{org_id}/api-keys/{key_id}/rotate'>>()

  if (rotated !== undefined) return <NewSecret apiKey={rotated} onClose={onClose} />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const overlapSeconds = Number(fieldsOf(event.currentTarget)('overlapSeconds'))
    const request = { params: { ...params, key_id: apiKey.id }, body: { overlapSeconds } }
    rotate.mutate(request, { onSuccess: setRotated })
  }
  return (
    <Dialog
      title={`Rotate ${apiKey.name}`}
      description="The key gets a new secret. The old one keeps working for a while, so that nothing breaks."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <FormProblem problem={rotate.error} />
        <SelectField
          label="Keep the old secret working for"
          name="overlapSeconds"
          defaultValue="86400"
        >
          <option value="0">not at all</option>
          <option value="3600">an hour</option>
          <option value="86400">a day</option>
          <option value="604800">a week</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={rotate.isPending}>
            Rotate key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
