import { useState } from 'react'
import type { AnswerOf } from '../../api/routes.ts'
import { useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { DocsLink } from '../../components/docs-link.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { SecretDialog } from '../../components/secret-once.tsx'
import { useOrganization } from '../../session/organization.ts'
import { toExpiry } from './key-form.ts'

/** Creates an agent token, and shows it once. */
export function CreateAgentTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { params } = useOrganization()
  const create = useWrite('POST /organizations/{org_id}/agent-tokens')
  const [created, setCreated] = useState<AnswerOf<'POST /organizations/{org_id}/agent-tokens'>>()
  const [scope, setScope] = useState<'read' | 'write'>('read')
  const { error } = create

  if (created !== undefined) {
    return (
      <SecretDialog
        heading={`Agent token ${created.name}`}
        title="Agent token"
        help="Shown only once. Keep it in the assistant’s settings, not in your repository."
        secret={created.secret}
        onClose={onClose}
      >
        <p>
          <DocsLink page="assistants">Connect an assistant</DocsLink>
        </p>
      </SecretDialog>
    )
  }
  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    const expiresAt = toExpiry(field('days'), new Date()) ?? undefined
    const body = { name: field('name'), scope, ...(expiresAt !== undefined && { expiresAt }) }
    create.mutate({ params, body }, { onSuccess: setCreated })
  }
  return (
    <FormDialog
      title="New agent token"
      onClose={onClose}
      write={create}
      fields={['/name']}
      submitLabel="Create token"
      noValidate
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        autoFocus
        help="The assistant and the machine, such as Claude Code on my laptop."
        error={error?.errorOf('/name')}
      />
      <ScopeField scope={scope} onChange={setScope} />
      <SelectField
        label="Expires"
        name="days"
        defaultValue="7"
        help="The assistant acts with your role until then, and never sees a secret."
      >
        <option value="1">in a day</option>
        <option value="7">in 7 days</option>
        <option value="30">in 30 days</option>
      </SelectField>
    </FormDialog>
  )
}

interface ScopeFieldProps {
  readonly scope: 'read' | 'write'
  readonly onChange: (scope: 'read' | 'write') => void
}

function ScopeField({ scope, onChange }: ScopeFieldProps) {
  return (
    <RadioGroup
      legend="Access"
      name="scope"
      value={scope}
      onChange={onChange}
      options={[
        {
          value: 'read',
          label: 'Read and propose',
          help: 'Reads deployments, configuration and flags, and prepares changes that you save.',
        },
        {
          value: 'write',
          label: 'Apply changes too',
          help: 'Saves what it proposes, but never in production or a protected environment.',
        },
      ]}
    />
  )
}
