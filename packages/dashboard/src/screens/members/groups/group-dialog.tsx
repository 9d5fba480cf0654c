import { useState } from 'react'
import { useWrite } from '../../../api/use-api.ts'
import { fieldsOf } from '../../../browser/read-fields.ts'
import { TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { chosenBy, type Group } from './group.ts'

interface GroupDialogProps {
  /** Holds the group to rename. Absent: creates one. */
  readonly group?: Group
  readonly onClose: () => void
}

/** Creates a group, or renames one. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const create = useWrite('POST /organizations/{org_id}/groups')
  const rename = useWrite('PATCH /organizations/{org_id}/groups/{group_id}')
  const [source, setSource] = useState<'manual' | 'oidc'>('manual')
  const write = group === undefined ? create : rename
  const submit = (form: HTMLFormElement) => {
    const name = fieldsOf(form)('name')
    if (group === undefined) create.mutate({ body: { name, source }, onSuccess: onClose })
    else {
      const { id, revision: ifMatch } = group
      rename.mutate({ params: { group_id: id }, body: { name }, ifMatch, onSuccess: onClose })
    }
  }
  return (
    <FormDialog
      title={group === undefined ? 'New group' : `Rename ${group.name}`}
      onClose={onClose}
      write={write}
      fields={['/name']}
      submitLabel={group === undefined ? 'Create group' : 'Rename'}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        defaultValue={group?.name}
        autoFocus
        help={
          source === 'oidc' || group?.source === 'oidc'
            ? 'Exactly as the identity provider names the group.'
            : 'Who they are, for example Developers.'
        }
        error={write.error?.errorOf('/name')}
      />
      {group === undefined && (
        <RadioGroup
          legend="Members"
          name="source"
          value={source}
          onChange={setSource}
          options={[
            { value: 'manual', label: chosenBy.manual },
            {
              value: 'oidc',
              label: chosenBy.oidc,
              help: 'People join and leave it when they sign in. Nobody adds them by hand.',
            },
          ]}
        />
      )}
    </FormDialog>
  )
}
