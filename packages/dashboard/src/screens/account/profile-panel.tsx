import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'

interface ProfilePanelProps {
  readonly name: string
  readonly email: string | null
}

/** Renders a person's name and email address, and changes the name. */
export function ProfilePanel({ name, email }: ProfilePanelProps) {
  const update = useWrite('PATCH /me')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { name: fieldsOf(event.currentTarget)('name') }
    update.mutate({ body }, { onSuccess: () => showToast({ text: 'Saved.' }) })
  }
  return (
    <Panel title="You">
      <form className="flex max-w-md flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={update.error} fields={['/name']} />
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          defaultValue={name}
          help={email === null ? undefined : `You sign in as ${email}.`}
          error={update.error?.errorOf('/name')}
        />
        <div>
          <Button type="submit" pending={update.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  )
}
