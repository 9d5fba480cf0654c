import { useState, type FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { FormProblem } from '../../parts/states.tsx'
import { toExpiry } from '../keys/key-form.ts'

export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /me/tokens')
  const [created, setCreated] = useState<AnswerOf<'POST /me/tokens'>>()
  const { error } = create

  if (created !== undefined) {
    return (
      <Dialog title={`Token ${created.name}`} isShownOnce onClose={onClose}>
        <SecretOnce
          title="Personal access token"
          hint="Shown only once. Keep it like a password: it can do everything that you can."
          secret={created.secret}
        />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            I have copied it
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const body = { name: field('name'), expiresAt: toExpiry(field('days'), new Date()) }
    create.mutate({ body }, { onSuccess: setCreated })
  }
  return (
    <Dialog title="New personal access token" onClose={onClose}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/name']} />
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          autoFocus
          hint="What uses it, for example laptop."
          fault={error?.faultOf('/name')}
        />
        <SelectField label="Expires" name="days" defaultValue="90">
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
          <option value="">never</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={create.isPending}>
            Create token
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
