import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { SecretDialog } from '../../components/secret-once.tsx'
import { managing, toExpiry } from '../keys/key-form.ts'

/** Creates a personal access token, and shows it once. */
export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /me/tokens')
  const [created, setCreated] = useState<AnswerOf<'POST /me/tokens'>>()
  const { error } = create

  if (created !== undefined) {
    return (
      <SecretDialog
        heading={`Token ${created.name}`}
        title="Personal access token"
        help={`Shown only once. Treat it like a password: ${created.manages ? 'it can do everything that you can, except create tokens.' : 'it acts as you.'}`}
        secret={created.secret}
        onClose={onClose}
      />
    )
  }
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const body = {
      name: field('name'),
      manages: new FormData(form).has('manages'),
      expiresAt: toExpiry(field('days'), new Date()),
    }
    create.mutate({ body }, { onSuccess: setCreated })
  }
  return (
    <FormDialog
      title="New personal access token"
      onClose={onClose}
      write={create}
      fields={['/name']}
      submitLabel="Create token"
      noValidate
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        autoFocus
        help="The program or machine that uses it, such as laptop."
        error={error?.errorOf('/name')}
      />
      <SelectField label="Expires" name="days" defaultValue="90">
        <option value="30">in 30 days</option>
        <option value="90">in 90 days</option>
        <option value="365">in a year</option>
        <option value="">never</option>
      </SelectField>
      <Checkbox name="manages" {...managing} />
    </FormDialog>
  )
}
