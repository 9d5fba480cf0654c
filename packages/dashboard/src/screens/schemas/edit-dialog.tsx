import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { toRequiredOf, useEnvironments } from '../configs/environments.ts'
import {
  ConfirmationFields,
  isConfirmed,
  nothingTyped,
} from '../configs/review/confirmation-fields.tsx'
import { joinRequired, readRequired } from '../configs/review/read-required.ts'
import { SchemaFields, schemaFieldPointers, type SchemaText } from '../configs/schema-fields.tsx'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { toBody } from '../configs/use-save.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Overtaken, useBase } from '../../components/overtaken.tsx'
import { useOrganization } from '../../session/organization.ts'

interface EditDialogProps {
  readonly schema: ConfigSchema
  readonly onClose: () => void
}

/**
 * Changes the name and the description of a schema. Command lines read it by name, so renaming needs the same
 * confirmation as a change of values.
 */
export function EditDialog({ schema, onClose }: EditDialogProps) {
  const { params } = useOrganization()
  const { data: environments = [] } = useEnvironments()
  const [text, setText] = useState<SchemaText>(schema)
  const { name, description } = text
  const [typed, setTyped] = useState(nothingTyped)
  const update = useWrite('PATCH /organizations/{org_id}/config-schemas/{schema_id}')
  const { error } = update
  // Its keys may have changed meanwhile: this dialog does not write them.
  const { isOvertaken, rebase } = useBase(toText(schema))
  const isRenamed = name !== schema.name
  const required = joinRequired(toRequiredOf(isRenamed ? environments : []), readRequired(error))
  const isGuarded = required.names.length > 0 || required.comment
  const isEdited = isRenamed || description !== schema.description
  const isReady = isEdited && !isOvertaken && isConfirmed(required, typed)
  const choose = (kept: SchemaText) => {
    rebase()
    setText(kept)
    update.reset()
  }

  const submit = () => {
    if (!isReady || update.isPending) return
    const confirmation = toBody({ confirm: required.names, comment: typed.comment })
    update.mutate(
      {
        params: { ...params, schema_id: schema.id },
        body: { name, description, ...(isGuarded && confirmation) },
        ifMatch: schema.revision,
      },
      { onSuccess: onClose },
    )
  }
  return (
    <FormDialog
      title={`Edit ${schema.name}`}
      onClose={onClose}
      problem={error}
      fields={schemaFieldPointers}
      submitLabel="Save"
      pending={update.isPending}
      disabled={!isReady}
      onSubmit={submit}
    >
      {isOvertaken && !update.isPending && (
        <Overtaken
          onTakeTheirs={() => choose(schema)}
          onKeepMine={isEdited ? () => choose(text) : undefined}
        >
          Somebody else changed the name or the description meanwhile: {describe(schema)}
        </Overtaken>
      )}
      <SchemaFields
        text={text}
        nameHelp="Your code and the command line use this name: change it there too."
        problem={error}
        onText={setText}
      />
      {isGuarded && <ConfirmationFields required={required} typed={typed} onTyped={setTyped} />}
    </FormDialog>
  )
}

const toText = ({ name, description }: SchemaText) => JSON.stringify([name, description])

/** Returns the name and the description in words. Example: `web, “What the shop reads”.` */
const describe = ({ name, description }: SchemaText) =>
  description === '' ? `${name}, without a description.` : `${name}, “${description}”.`
