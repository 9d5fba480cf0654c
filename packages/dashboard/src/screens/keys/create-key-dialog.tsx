import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { useOrganization } from '../../session/organization.ts'
import { NewSecret } from './new-secret.tsx'
import { findOriginErrors, toExpiry } from './key-form.ts'
import { ReachFields } from './reach-fields.tsx'
import { accountPointers } from './service-account-form.ts'
import { ServiceAccountFields } from './service-account-fields.tsx'
import { useKeyAccess } from './use-key-access.ts'

type Created = AnswerOf<'POST /organizations/{org_id}/api-keys'>

/** Creates an API key, and shows its secret once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { params } = useOrganization()
  const create = useWrite('POST /organizations/{org_id}/api-keys')
  const [created, setCreated] = useState<Created>()
  const [kind, setKind] = useState<'b2m' | 'm2m' | 'rly'>('b2m')
  const { unselected, unreadable, read } = useKeyAccess()
  const { error } = create
  const origins = findOriginErrors(error?.errors)

  if (created !== undefined) return <NewSecret apiKey={created} onClose={onClose} />
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const access = read(form, kind)
    if (access === undefined) return
    const expiresAt = toExpiry(field('days'), new Date())
    const { reach, accounts } = access
    const pinned = kind === 'm2m' && accounts.length > 0 && { serviceAccounts: accounts }
    const body = { name: field('name'), kind, ...reach, expiresAt, ...pinned }
    create.mutate({ params, body }, { onSuccess: setCreated })
  }
  return (
    <FormDialog
      title="New API key"
      onClose={onClose}
      write={create}
      fields={['/name', ...origins.pointers, ...accountPointers(error?.errors)]}
      submitLabel="Create key"
      noValidate
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        autoFocus
        help="What uses it, for example ci or web-app."
        error={error?.errorOf('/name')}
      />
      <KindField kind={kind} onChange={setKind} />
      <ReachFields kind={kind} originsError={origins.text} unselected={unselected} />
      {kind === 'm2m' && (
        <ServiceAccountFields accounts={[]} errors={error?.errors} unreadable={unreadable} />
      )}
      <ExpiryField />
    </FormDialog>
  )
}

interface KindFieldProps {
  readonly kind: 'b2m' | 'm2m' | 'rly'
  readonly onChange: (kind: 'b2m' | 'm2m' | 'rly') => void
}

function KindField({ kind, onChange }: KindFieldProps) {
  return (
    <RadioGroup
      legend="Kind"
      name="kind"
      value={kind}
      onChange={onChange}
      options={[
        {
          value: 'b2m',
          label: 'Browser key',
          help: 'Reads public values and flags. Safe in a web page.',
        },
        {
          value: 'm2m',
          label: 'Server key',
          help: 'Reads all values, including secrets, and writes if you let it. Keep it on servers and in pipelines.',
        },
        {
          value: 'rly',
          label: 'Relay key',
          help: 'Feeds a relay with the environments that you select. It reads no values directly.',
        },
      ]}
    />
  )
}

function ExpiryField() {
  return (
    <SelectField
      label="Expires"
      name="days"
      defaultValue="90"
      help="The overview reminds you two weeks before."
    >
      <option value="30">in 30 days</option>
      <option value="90">in 90 days</option>
      <option value="365">in a year</option>
      <option value="">never</option>
    </SelectField>
  )
}
