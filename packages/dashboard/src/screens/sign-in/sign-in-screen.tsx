import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import { toUrl } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { FormProblem } from '../../components/states.tsx'
import { CodeField } from '../../shell/code-field.tsx'
import { PasswordField } from '../../shell/password-field.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { forgetAnswers } from '../../session/forget-person.ts'
import { describeProviderError } from '../../shell/provider-errors.ts'

/** Signs a person in, with a password or at the OpenID provider. */
export function SignInScreen() {
  const { returnTo = '/', ended, error } = useSearch({ from: '/login' })
  const { data: options } = useRead('GET /sign-in/options')
  const client = useQueryClient()
  // Nobody is signed in here, perhaps because a session has ended. The next person must not see the answers of the
  // last.
  useEffect(() => forgetAnswers(client), [client])
  return (
    <SignedOutLayout title="Sign in">
      {error !== undefined && (
        <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
          {describeProviderError(error)}
        </p>
      )}
      {ended && (
        <p role="status" className="rounded-md bg-warn-ground px-3 py-2 text-warn">
          Your session has ended. Sign in to go on where you were: this tab has kept your unsaved
          changes.
        </p>
      )}
      <PasswordForm returnTo={returnTo} />
      {options?.byEmail === true && <ProviderForm returnTo={returnTo} />}
      {options?.oidc && (
        // A link and not a call, because the server redirects to the provider.
        <a href={toUrl('/sign-in/oidc', {}, { returnTo })} className={buttonClass('plain')}>
          Sign in with {options.oidc.name}
        </a>
      )}
      <p className="text-sm text-muted">
        Forgot your password? Ask an operator of this server to reset it with{' '}
        <code className="font-mono">signalbox reset-password</code>.
      </p>
      <p className="text-sm text-muted">
        No account on this server yet? Open the setup link that the server printed when it started,
        or ask an admin for an invitation.
      </p>
    </SignedOutLayout>
  )
}

/** Asks for the address, whose domain leads to the provider of an organization. */
function ProviderForm({ returnTo }: { readonly returnTo: string }) {
  const begin = useWrite('POST /sign-in/provider')
  const { error } = begin
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = fieldsOf(event.currentTarget)('email')
    begin.mutate({ body: { email, returnTo }, onSuccess: ({ url }) => location.assign(url) })
  }
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <FormProblem problem={error} fields={['/email']} />
      <TextField
        label="Work e-mail"
        name="email"
        type="email"
        autoComplete="username"
        help="Leads to the sign-in of your organization, if it has one."
        error={error?.errorOf('/email')}
      />
      <Button type="submit" pending={begin.isPending}>
        Continue with single sign-on
      </Button>
    </form>
  )
}

function PasswordForm({ returnTo }: { readonly returnTo: string }) {
  const signIn = useWrite('POST /sessions')
  const client = useQueryClient()
  const { history } = useRouter()
  const { error } = signIn
  // The field stays once it was needed: the server answers a wrong code like a wrong password.
  const [asksCode, setAsksCode] = useState(false)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    const code = field('code').trim()
    const body = { email: field('email'), password: field('password'), ...(code && { code }) }
    signIn.mutate({
      body,
      onSuccess: () => {
        client.clear()
        history.push(returnTo)
      },
      onError: ({ code }) => setAsksCode((before) => before || code === 'second_factor_required'),
    })
  }
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <FormProblem
        problem={error?.code === 'second_factor_required' ? null : error}
        fields={['/email', '/password', '/code']}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        autoFocus
        error={error?.errorOf('/email')}
      />
      <PasswordField error={error?.errorOf('/password')} />
      {asksCode && <CodeField error={error?.errorOf('/code')} />}
      <Button type="submit" variant="primary" pending={signIn.isPending}>
        Sign in
      </Button>
    </form>
  )
}
