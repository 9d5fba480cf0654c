import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'

export function CreateOrganization({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /organizations')
  const navigate = useNavigate()
  const { error } = create
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = fieldsOf(event.currentTarget)('name')
    create.mutate(
      { body: { name } },
      { onSuccess: ({ slug }) => void navigate({ to: '/$org', params: { org: slug } }) },
    )
  }
  return (
    <Dialog
      title="New organization"
      description="It has its own members, integrations, environments and keys. Nobody outside it sees them."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/name']} />
        <TextField label="Name" name="name" autoFocus fault={error?.faultOf('/name')} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" pending={create.isPending}>
            Create organization
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
