import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useWrite } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { fieldsOf } from '../../parts/read-fields.ts'
import { FormProblem } from '../../parts/states.tsx'
import { Door } from '../../shell/door.tsx'

export function SignInScreen() {
  const { returnTo = '/' } = useSearch({ from: '/login' })
  const signIn = useWrite('POST /sessions')
  const client = useQueryClient()
  const router = useRouter()

  const submit = (form: HTMLFormElement) => {
    const field = fieldsOf(form)
    signIn.mutate(
      { body: { email: field('email'), password: field('password') } },
      {
        onSuccess: () => {
          client.clear()
          router.history.push(returnTo)
        },
      },
    )
  }
  return (
    <Door title="Sign in">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
      >
        <FormProblem problem={signIn.error} />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          fault={signIn.error?.faultOf('/email')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          fault={signIn.error?.faultOf('/password')}
        />
        <Button type="submit" look="primary" pending={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <p className="text-sm text-muted">
        No account on this server yet? Open the set-up link that the server printed when it started,
        or ask an administrator for an invitation.
      </p>
    </Door>
  )
}
