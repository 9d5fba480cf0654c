import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { toRequiredOf, useEnvironments } from '../configs/environments.ts'
import {
  ConfirmationFields,
  isConfirmed,
  nothingTyped,
} from '../configs/review/confirmation-fields.tsx'
import { joinRequired, readRequired } from '../configs/review/read-required.ts'
import { RenameNotice } from '../configs/review/rename-notice.tsx'
import { SchemaFields, schemaFieldPointers, type SchemaText } from '../configs/schema-fields.tsx'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { toBody } from '../configs/use-save.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Overtaken, useEdited } from '../../components/overtaken.tsx'

interface EditDialogProps {
  readonly schema: ConfigSchema
  readonly onClose: () => void
}

/**
 * Changes the name and the description of a schema. Command lines read it by name, so renaming needs the same
 * confirmation as a change of values.
 */
export function EditDialog({ schema, onClose }: EditDialogProps) {
  const { data: environments = [] } = useEnvironments()
  // The keys may change while it is open, because this dialog does not write them.
  const edit = useEdited<SchemaText>(schema, toText)
  const { name, description } = edit.edited
  const [typed, setTyped] = useState(nothingTyped)
  const update = useWrite('PATCH /organizations/{org_id}/config-schemas/{schema_id}')
  const { error } = update
  const isRenamed = name !== schema.name
  const required = joinRequired(toRequiredOf(isRenamed ? environments : []), readRequired(error))
  const isGuarded = required.names.length > 0 || required.comment
  const isEdited = isRenamed || description !== schema.description
  const isReady = isEdited && !edit.isOvertaken && isConfirmed(required, typed)

  const submit = () => {
    if (!isReady || update.isPending) return
    const confirmation = toBody({ confirm: required.names, comment: typed.comment })
    update.mutate({
      params: { schema_id: schema.id },
      body: { name, description, ...(isGuarded && confirmation) },
      ifMatch: schema.revision,
      onSuccess: onClose,
    })
  }
  return (
    <FormDialog
      validates
      title={`Edit ${schema.name}`}
      onClose={onClose}
      write={update}
      fields={schemaFieldPointers}
      submitLabel="Save"
      disabled={!isReady}
      onSubmit={submit}
    >
      {edit.isOvertaken && !update.isPending && (
        <OvertakenBy
          schema={schema}
          text={edit.edited}
          onChoose={(text) => {
            edit.choose(text)
            update.reset()
          }}
        />
      )}
      <SchemaFields
        text={edit.edited}
        nameHelp="Your code and the command line use this name: change it there too."
        problem={error}
        onText={edit.setEdited}
      />
      <RenameNotice saved={schema} name={name} toThing={toThing} />
      {isGuarded && <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />}
    </FormDialog>
  )
}

interface OvertakenByProps {
  readonly schema: ConfigSchema
  readonly text: SchemaText
  readonly onChoose: (text: SchemaText) => void
}

function OvertakenBy({ schema, text, onChoose }: OvertakenByProps) {
  const isEdited = toText(text) !== toText(schema)
  return (
    <Overtaken
      onTakeTheirs={() => onChoose(schema)}
      onKeepMine={isEdited ? () => onChoose(text) : undefined}
    >
      Somebody else changed the name or the description while you were editing: {describe(schema)}
    </Overtaken>
  )
}

const toThing = (schemaId: string) => ({ schemaId })
const toText = ({ name, description }: SchemaText) => JSON.stringify([name, description])

/** Returns the name and the description in words. Example: `web, “What the shop reads”.` */
const describe = ({ name, description }: SchemaText) =>
  description === '' ? `${name}, without a description.` : `${name}, “${description}”.`
