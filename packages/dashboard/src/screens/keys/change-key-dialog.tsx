import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { toExactTime } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { findOriginErrors, findUnselected, readReach, toExpiry } from './key-form.ts'
import { ReachFields } from './reach-fields.tsx'
import type { ApiKey } from './api-key.ts'

interface ChangeKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** Changes a key's name, reach and expiry. Its secret stays the same. */
export function ChangeKeyDialog({ apiKey, onClose }: ChangeKeyDialogProps) {
  const { params } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/api-keys/{key_id}')
  const [unselected, setUnselected] = useState<readonly string[]>([])
  const { error } = update
  const origins = findOriginErrors(error?.errors)
  const { id, name, kind, expiresAt } = apiKey

  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const days = field('days')
    const reach = readReach(new FormData(form), kind)
    const missing = findUnselected(reach)
    setUnselected(missing)
    if (missing.length > 0) return
    const body = {
      name: field('name'),
      ...reach,
      ...(days !== 'same' && { expiresAt: toExpiry(days, new Date()) }),
    }
    update.mutate({ params: { ...params, key_id: id }, body }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`Change ${name}`}
      description="Its secret stays the same. A change of its access takes effect within two seconds."
      onClose={onClose}
      problem={error}
      fields={['/name', ...origins.pointers]}
      submitLabel="Save"
      pending={update.isPending}
      noValidate
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={name}
        error={error?.errorOf('/name')}
      />
      <ReachFields kind={kind} reach={apiKey} originsError={origins.text} unselected={unselected} />
      <SelectField label="Expires" name="days" defaultValue="same">
        <option value="same">
          unchanged: {expiresAt === null ? 'never' : toExactTime(expiresAt)}
        </option>
        <option value="30">in 30 days</option>
        <option value="90">in 90 days</option>
        <option value="365">in a year</option>
        {expiresAt !== null && <option value="">never</option>}
      </SelectField>
    </FormDialog>
  )
}
