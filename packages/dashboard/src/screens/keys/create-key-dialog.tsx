import { useState, type FormEvent } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { NewSecret } from './new-secret.tsx'
import { findOriginFaults, readReach, toExpiry } from './key-form.ts'
import { ReachFields } from './reach-fields.tsx'

type Created = AnswerOf<'POST /organizations/{org_id}/api-keys'>

export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { params } = useOrganization()
  const create = useWrite('POST /organizations/{org_id}/api-keys')
  const [created, setCreated] = useState<Created>()
  const [kind, setKind] = useState<'b2m' | 'm2m'>('m2m')
  const { error } = create
  const origins = findOriginFaults(error?.errors)

  if (created !== undefined) return <NewSecret apiKey={created} onClose={onClose} />
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const body = {
      name: field('name'),
      kind,
      ...readReach(new FormData(event.currentTarget), kind),
      expiresAt: toExpiry(field('days'), new Date()),
    }
    create.mutate({ params, body }, { onSuccess: setCreated })
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/name', ...origins.pointers]} />
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          autoFocus
          hint="What uses it, for example ci or web-app."
          fault={error?.faultOf('/name')}
        />
        <SelectField
          label="Kind"
          value={kind}
          onChange={({ target }) => setKind(target.value === 'b2m' ? 'b2m' : 'm2m')}
        >
          <option value="m2m">Server key: reads and writes everything, secrets included</option>
          <option value="b2m">Browser key: reads public values and flags</option>
        </SelectField>
        <ReachFields kind={kind} originsFault={origins.text} />
        <SelectField label="Expires" name="days" defaultValue="">
          <option value="">never</option>
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={create.isPending}>
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
