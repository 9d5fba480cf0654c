import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'

interface ProfilePanelProps {
  readonly name: string
  readonly email: string | null
}

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
          hint={email === null ? undefined : `You sign in as ${email}.`}
          fault={update.error?.faultOf('/name')}
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
