import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { Button } from '../../components/button.tsx'
import { secretInput, TextField } from '../../components/field.tsx'
import { FormProblem } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Choice, Integration } from './integration.ts'

interface ConnectFormProps {
  readonly kind: Integration['kind']
  readonly choice: Choice & { readonly form: NonNullable<Choice['form']> }
  readonly onClose: () => void
}

/** Takes the values by which a provider is connected. The server checks them at the provider before it stores them. */
export function ConnectForm({ kind, choice, onClose }: ConnectFormProps) {
  const { params } = useOrganization()
  const connect = useWrite('POST /organizations/{org_id}/integrations/{kind}/connection')
  const { provider, displayName, form } = choice
  const { error } = connect
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = fieldsOf(event.currentTarget)
    const values = Object.fromEntries(form.fields.map(({ name }) => [name, read(name)]))
    connect.mutate(
      { params: { ...params, kind }, body: { provider, values } },
      {
        onSuccess: () => {
          showToast({ text: `${displayName} is connected.` })
          onClose()
        },
      },
    )
  }
  return (
    <form
      className="flex max-w-120 flex-col gap-3"
      noValidate
      aria-label={`Connect ${displayName}`}
      onSubmit={submit}
    >
      <p className="text-muted">{form.advice}</p>
      <FormProblem problem={error} fields={form.fields.map(({ name }) => `/values/${name}`)} />
      {form.fields.map(({ name, label, isSecret, isRequired, hint, placeholder }, index) => (
        <TextField
          key={name}
          autoFocus={index === 0}
          label={isRequired ? label : `${label} (optional)`}
          name={name}
          help={hint ?? undefined}
          error={error?.errorOf(`/values/${name}`)}
          {...(placeholder !== null && { placeholder })}
          {...(isSecret ? { ...secretInput, type: 'password' } : { autoComplete: 'off' })}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={connect.isPending}>
          Connect
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
