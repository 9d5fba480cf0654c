import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { useOrganization } from '../../session/organization.ts'
import { NewSecret } from './new-secret.tsx'
import { findOriginErrors, readReach, toExpiry } from './key-form.ts'
import { ReachFields } from './reach-fields.tsx'

type Created = AnswerOf<'POST /organizations/{org_id}/api-keys'>

/** Creates an API key, and shows its secret once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { params } = useOrganization()
  const create = useWrite('POST /organizations/{org_id}/api-keys')
  const [created, setCreated] = useState<Created>()
  const [kind, setKind] = useState<'b2m' | 'm2m'>('m2m')
  const { error } = create
  const origins = findOriginErrors(error?.errors)

  if (created !== undefined) return <NewSecret apiKey={created} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const body = {
      name: field('name'),
      kind,
      ...readReach(new FormData(form), kind),
      expiresAt: toExpiry(field('days'), new Date()),
    }
    create.mutate({ params, body }, { onSuccess: setCreated })
  }
  return (
    <FormDialog
      title="New API key"
      onClose={onClose}
      problem={error}
      fields={['/name', ...origins.pointers]}
      submitLabel="Create key"
      pending={create.isPending}
      noValidate
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        autoFocus
        help="What uses it, for example ci or web-app."
        error={error?.errorOf('/name')}
      />
      <SelectField
        label="Kind"
        value={kind}
        onChange={({ target }) => setKind(target.value === 'b2m' ? 'b2m' : 'm2m')}
      >
        <option value="m2m">Server key: reads and writes everything, secrets included</option>
        <option value="b2m">Browser key: reads public values and flags</option>
      </SelectField>
      <ReachFields kind={kind} originsError={origins.text} />
      <SelectField label="Expires" name="days" defaultValue="">
        <option value="">never</option>
        <option value="30">in 30 days</option>
        <option value="90">in 90 days</option>
        <option value="365">in a year</option>
      </SelectField>
    </FormDialog>
  )
}
