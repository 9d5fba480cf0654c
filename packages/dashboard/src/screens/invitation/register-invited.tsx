import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'

/** Makes the account of the invited address, and joins. */
export function RegisterInvited({ token }: { readonly token: string }) {
  const register = useWrite('POST /invitations/register')
  const client = useQueryClient()
  const navigate = useNavigate()
  const { error } = register

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    register.mutate(
      { body: { token, name: field('name'), password: field('password') } },
      {
        onSuccess: ({ organization }) => {
          client.clear()
          // In place of the link: its token is used up, and has no business in the browser's history.
          void navigate({ to: '/$org', params: { org: organization.slug }, replace: true })
        },
      },
    )
  }
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <FormProblem problem={error} fields={['/name', '/password']} />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        autoFocus
        fault={error?.faultOf('/name')}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters. A sentence is fine."
        fault={error?.faultOf('/password')}
      />
      <Button type="submit" look="primary" pending={register.isPending}>
        Create account and join
      </Button>
    </form>
  )
}
