import { useNavigate } from '@tanstack/react-router'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'

export function CreateOrganization({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('POST /organizations')
  const navigate = useNavigate()
  const { error } = create
  const submit = (form: HTMLFormElement) => {
    const name = fieldsOf(form)('name')
    create.mutate(
      { body: { name } },
      { onSuccess: ({ slug }) => void navigate({ to: '/$org', params: { org: slug } }) },
    )
  }
  return (
    <FormDialog
      title="New organization"
      description="It has its own members, integrations, environments and keys. Nobody outside it sees them."
      onClose={onClose}
      write={create}
      fields={['/name']}
      submitLabel="Create organization"
      noValidate
      onSubmit={submit}
    >
      <TextField label="Name" name="name" autoFocus error={error?.errorOf('/name')} />
    </FormDialog>
  )
}
