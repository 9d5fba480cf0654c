import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'

/** Creates the account of the invited address, and joins. */
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
          // Replaces the link in the browser's history, because its token is used up.
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
        error={error?.errorOf('/name')}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        help="At least 12 characters. A sentence is fine."
        error={error?.errorOf('/password')}
      />
      <Button type="submit" variant="primary" pending={register.isPending}>
        Create account and join
      </Button>
    </form>
  )
}
