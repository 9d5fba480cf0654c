import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { toExactTime } from '../../parts/time.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { findOriginFaults, readReach, toExpiry } from './key-form.ts'
import type { ApiKey } from './key-row.tsx'
import { ReachFields } from './reach-fields.tsx'

interface ChangeKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

/** A key's name, what it reaches and when it ends; its secret stays the same. */
export function ChangeKeyDialog({ apiKey, onClose }: ChangeKeyDialogProps) {
  const { params } = useOrganization()
  const update = useWrite('PATCH /organizations/{org_id}/api-keys/{key_id}')
  const { error } = update
  const origins = findOriginFaults(error?.errors)
  const { id, name, kind, expiresAt } = apiKey

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const days = field('days')
    const body = {
      name: field('name'),
      ...readReach(new FormData(event.currentTarget), kind),
      ...(days !== 'same' && { expiresAt: toExpiry(days, new Date()) }),
    }
    update.mutate({ params: { ...params, key_id: id }, body }, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={`Change ${name}`}
      description="Its secret stays the same. A change of its access takes effect within two seconds."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/name', ...origins.pointers]} />
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          defaultValue={name}
          fault={error?.faultOf('/name')}
        />
        <ReachFields kind={kind} reach={apiKey} originsFault={origins.text} />
        <SelectField label="Expires" name="days" defaultValue="same">
          <option value="same">
            unchanged: {expiresAt === null ? 'never' : toExactTime(expiresAt)}
          </option>
          {expiresAt !== null && <option value="">never</option>}
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={update.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
