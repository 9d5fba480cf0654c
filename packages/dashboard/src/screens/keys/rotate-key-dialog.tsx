import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SelectField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { useOrganization } from '../../session/organization.ts'
import { NewSecret } from './new-secret.tsx'
import type { ApiKey } from './api-key.ts'

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Replaces the secret of an API key, and shows the new one once. */
export function RotateKeyDialog({ apiKey, onClose }: RotateKeyDialogProps) {
  const { params } = useOrganization()
  const rotate = useWrite('POST /organizations/{org_id}/api-keys/{key_id}/rotate')
  const [rotated, setRotated] =
    useState<AnswerOf<'POST /organizations/{org_id}/api-keys/{key_id}/rotate'>>()

  if (rotated !== undefined) return <NewSecret apiKey={rotated} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const overlapSeconds = Number(fieldsOf(form)('overlapSeconds'))
    const request = { params: { ...params, key_id: apiKey.id }, body: { overlapSeconds } }
    rotate.mutate(request, { onSuccess: setRotated })
  }
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      description="The key gets a new secret. The old one keeps working for a while, so that nothing breaks."
      onClose={onClose}
      write={rotate}
      submitLabel="Rotate key"
      onSubmit={submit}
    >
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
    </FormDialog>
  )
}
