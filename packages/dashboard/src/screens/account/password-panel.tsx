import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { showToast } from '../../components/toasts.tsx'

/** Changes the password. `asksCode`: the person has a second factor, so it asks for a code too. */
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
          showToast({ text: 'Your password is changed, and all your other sessions have ended.' })
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
          error={error?.errorOf('/currentPassword')}
        />
        <TextField
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters. A sentence is fine. All your other sessions end."
          error={error?.errorOf('/newPassword')}
        />
        {asksCode && (
          <TextField
            label="Code from your authenticator app"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            error={error?.errorOf('/code')}
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
