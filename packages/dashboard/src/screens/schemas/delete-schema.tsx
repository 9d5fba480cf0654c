import { useWrite } from '../../api/use-api.ts'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import { DeleteDialog, type DeleteChoice } from '../configs/delete-dialog.tsx'
import { toRequiredOf, useEnvironments } from '../configs/environments.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { toBody } from '../configs/use-save.ts'

interface DeleteSchemaProps {
  readonly schema: ConfigSchema
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes a schema after its name was typed. */
export function DeleteSchema({ schema, onDeleted, onClose }: DeleteSchemaProps) {
  const { params } = useOrganization()
  const { data: environments = [] } = useEnvironments()
  const { id, name, revision } = schema
  const remove = useWrite('DELETE /organizations/{org_id}/config-schemas/{schema_id}')
  const onDelete = ({ force, comment }: DeleteChoice) =>
    remove.mutate(
      {
        params: { ...params, schema_id: id },
        query: {
          ...(force && { force: 'true' as const }),
          // The typed name of the schema counts as the confirmation of every protected environment.
          ...toBody({ confirm: toRequiredOf(environments).names, comment }),
        },
        ifMatch: revision,
      },
      {
        onSuccess: () => {
          showToast({ text: `${name} was deleted.` })
          onDeleted()
        },
      },
    )
  return (
    <DeleteDialog
      name={name}
      noun="schema"
      write={remove}
      valuesHelp="Environments have values for it. Delete them together with the schema."
      needsComment={environments.some(({ protection }) => protection.comment)}
      onDelete={onDelete}
      onClose={onClose}
    >
      <p>
        This permanently deletes its keys, their values in every environment and their history.
        Applications that read it get an error.
      </p>
    </DeleteDialog>
  )
}
