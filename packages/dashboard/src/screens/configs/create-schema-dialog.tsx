import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { showToast } from '../../components/toasts.tsx'
import { SchemaFields, schemaFieldPointers, type SchemaText } from './schema-fields.tsx'

interface CreateSchemaDialogProps {
  readonly onCreated: (schemaId: string) => void
  readonly onClose: () => void
}

/** Creates a schema without keys. */
export function CreateSchemaDialog({ onCreated, onClose }: CreateSchemaDialogProps) {
  const [text, setText] = useState<SchemaText>({ name: '', description: '' })
  const { name } = text
  const create = useWrite('POST /organizations/{org_id}/config-schemas')
  const { error } = create

  const submit = () => {
    const about = text.description.trim()
    create.mutate({
      body: { name, schema: {}, ...(about !== '' && { description: about }) },
      onSuccess: ({ id }) => {
        showToast({ text: `Created the schema ${name}. Add its first key.` })
        onClose()
        onCreated(id)
      },
    })
  }
  return (
    <FormDialog
      validates
      title="Create a schema"
      description="A schema holds the keys of one application, with a value in each environment."
      onClose={onClose}
      write={create}
      fields={schemaFieldPointers}
      submitLabel="Create schema"
      onSubmit={submit}
    >
      <SchemaFields
        text={text}
        nameHelp="The name of the application, such as web or checkout-api."
        problem={error}
        onText={setText}
      />
    </FormDialog>
  )
}
