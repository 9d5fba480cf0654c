import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'

interface CreateSchemaDialogProps {
  readonly onCreated: (schemaId: string) => void
  readonly onClose: () => void
}

/** Creates a schema without keys. */
export function CreateSchemaDialog({ onCreated, onClose }: CreateSchemaDialogProps) {
  const { params } = useOrganization()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const create = useWrite('POST /organizations/{org_id}/config-schemas')
  const { error } = create

  const submit = () => {
    const about = description.trim()
    create.mutate(
      { params, body: { name, schema: {}, ...(about !== '' && { description: about }) } },
      {
        onSuccess: ({ id }) => {
          showToast({ text: `Created the schema ${name}. Add its first key.` })
          onClose()
          onCreated(id)
        },
      },
    )
  }
  return (
    <FormDialog
      title="Create a schema"
      description="A schema holds the keys of one application, with a value in each environment."
      onClose={onClose}
      problem={error}
      fields={['/name', '/description']}
      submitLabel="Create schema"
      pending={create.isPending}
      disabled={name === ''}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        help="The name of the application, such as web or checkout-api."
        error={error?.errorOf('/name')}
        value={name}
        required
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Description (optional)"
        error={error?.errorOf('/description')}
        value={description}
        maxLength={1000}
        autoComplete="off"
        onChange={({ target }) => setDescription(target.value)}
      />
    </FormDialog>
  )
}
