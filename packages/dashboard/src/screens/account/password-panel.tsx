import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Panel } from '../../parts/panel.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'

/** `asksCode`: there is a second factor, and it is asked for as well. */
export function PasswordPanel({ asksCode }: { readonly asksCode: boolean }) {
  const change = useWrite('PUT /me/password')
  const { error } = change
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const field = fieldsOf(form)
    const code = field('code').trim()
    const body = {
      currentPassword: field('currentPassword'),
      newPassword: field('newPassword'),
      ...(code && { code }),
    }
    change.mutate(
      { body },
      {
        onSuccess: () => {
          form.reset()
          showToast({ text: 'The password was changed. You are signed out everywhere else.' })
        },
      },
    )
  }
  return (
    <Panel title="Password">
      <form className="flex max-w-md flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/currentPassword', '/newPassword', '/code']} />
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          fault={error?.faultOf('/currentPassword')}
        />
        <TextField
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters. A sentence is fine. You are signed out everywhere else."
          fault={error?.faultOf('/newPassword')}
        />
        {asksCode && (
          <TextField
            label="Code from your authenticator app"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            fault={error?.faultOf('/code')}
          />
        )}
        <div>
          <Button type="submit" pending={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Panel>
  )
}
