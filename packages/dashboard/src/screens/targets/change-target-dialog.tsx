import { useState } from 'react'
import { useList, useWrite } from '../../api/use-api.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SelectionFields, selectionPointers, type TargetSelection } from './selection-fields.tsx'
import type { Target } from './target.ts'
import { TokenField } from './token-field.tsx'

interface ChangeTargetDialogProps {
  readonly target: Target
  readonly onClose: () => void
}

/** Changes the name, the keys or the token of a target. The next run writes what is new and deletes what is no longer chosen. */
export function ChangeTargetDialog({ target, onClose }: ChangeTargetDialogProps) {
  const [name, setName] = useState(target.name)
  const [token, setToken] = useState('')
  const [selection, setSelection] = useState(toSelection(target))
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', {
    query: { limit: 100 },
  })
  const update = useWrite('PATCH /organizations/{org_id}/targets/{target_id}')
  const { error } = update
  const submit = () =>
    update.mutate({
      params: { target_id: target.id },
      body: { ...toChange(target, name, selection), ...(token !== '' && { token }) },
      onSuccess: onClose,
    })
  return (
    <FormDialog
      title={`Change ${target.name}`}
      description="The next run writes what is new, and deletes the names that it wrote for keys that are no longer chosen. For another destination, create another target."
      onClose={onClose}
      write={update}
      fields={['/name', '/token', ...selectionPointers]}
      submitLabel="Save"
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={name}
        error={error?.errorOf('/name')}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectionFields
        schema={schemas.find(({ id }) => id === target.schemaId)}
        selection={selection}
        problem={error}
        onSelection={setSelection}
      />
      {target.hasToken && (
        <TokenField
          label={`New token of ${target.providerName} (optional)`}
          help="One is stored and never shown. Leave this empty to keep it."
          error={error?.errorOf('/token')}
          value={token}
          onToken={setToken}
        />
      )}
    </FormDialog>
  )
}

function toSelection({ tiers, keys, prefix }: Target): TargetSelection {
  return { tiers, keys, prefix }
}

/** Returns what a person has changed. Keys that stay are not sent, so that they need no run. */
function toChange(target: Target, name: string, selection: TargetSelection) {
  const isSame = JSON.stringify(selection) === JSON.stringify(toSelection(target))
  const { tiers, keys, prefix } = selection
  return { name, ...(!isSame && { tiers: [...tiers], keys: [...keys], prefix }) }
}
