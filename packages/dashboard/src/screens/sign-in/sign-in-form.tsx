import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { ApiProblem } from '../../api/problem.ts'
import { useWrite } from '../../api/use-api.ts'
import { fieldsOf } from '../../browser/read-fields.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormProblem } from '../../components/states.tsx'
import { CodeField } from '../../shell/code-field.tsx'
import { PasswordField } from '../../shell/password-field.tsx'

interface SignInFormProps {
  readonly returnTo: string
  /** Says that the domain of an address may lead to the provider of an organization, so that it is asked for alone. */
  readonly isAddressFirst: boolean
}

/** Asks for the address and the password, or first for the address, and then offers the ways in that its domain has. */
export function SignInForm({ returnTo, isAddressFirst }: SignInFormProps) {
  const password = usePassword(returnTo)
  const provider = useProviderOfAddress(returnTo)
  const { ways } = provider
  const asksAddress = isAddressFirst && ways === undefined
  const error = asksAddress ? provider.error : password.error
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    if (asksAddress) provider.ask(field('email'))
    else password.send(field)
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
        // Another address has other ways in.
        onChange={provider.forget}
      />
      {asksAddress ? (
        <Button type="submit" variant="primary" pending={provider.isPending}>
          Continue
        </Button>
      ) : (
        <>
          {ways && <ProviderWay ways={ways} provider={provider} />}
          <PasswordWay ways={ways} password={password} />
        </>
      )}
    </form>
  )
}

/** Describes the ways in of an address. A password is always one. */
interface Ways {
  readonly email: string
  /** Names the provider of the organization that has the domain. `undefined`: there is none, or it does not answer. */
  readonly name: string | undefined
  /** Says that the provider does not answer. */
  readonly problem: ApiProblem | undefined
}

/** Asks which provider an address leads to, and goes there. */
function useProviderOfAddress(returnTo: string) {
  const begin = useWrite('POST /sign-in/provider')
  const [ways, setWays] = useState<Ways>()
  const ask = (email: string, onSuccess: (started: { name: string; url: string }) => void) =>
    begin.mutate({
      body: { email, returnTo },
      onSuccess,
      onError: (problem) => {
        if (problem.code === 'provider_not_set_up')
          setWays({ email, name: undefined, problem: undefined })
        if (problem.code === 'provider_error') setWays({ email, name: undefined, problem })
      },
    })
  return {
    ways,
    isPending: begin.isPending,
    error: begin.error,
    forget: () => setWays(undefined),
    ask: (email: string) => ask(email, ({ name }) => setWays({ email, name, problem: undefined })),
    /** Asks anew: what was begun before lasts for ten minutes only. */
    goOn: ({ email }: Ways) => ask(email, ({ url }) => location.assign(url)),
  }
}

interface ProviderWayProps {
  readonly ways: Ways
  readonly provider: ReturnType<typeof useProviderOfAddress>
}

/** Leads to the provider of an organization. */
function ProviderWay({ ways, provider }: ProviderWayProps) {
  const { name, problem } = ways
  if (name === undefined && problem === undefined) return null
  return (
    <>
      <FormProblem problem={problem ?? null} />
      <Button
        variant={name === undefined ? 'plain' : 'primary'}
        autoFocus
        pending={provider.isPending}
        onClick={() => provider.goOn(ways)}
      >
        {name === undefined ? 'Try the provider again' : `Continue with ${name}`}
      </Button>
      <p className="text-sm text-muted">Or sign in with your password:</p>
    </>
  )
}

interface PasswordWayProps {
  readonly ways: Ways | undefined
  readonly password: ReturnType<typeof usePassword>
}

/** Asks for the password. It is the second choice where an address leads to a provider. */
function PasswordWay({ ways, password: { error, asksCode, isPending } }: PasswordWayProps) {
  const isSecond = ways?.name !== undefined
  return (
    <>
      <PasswordField
        autoFocus={ways !== undefined && !isSecond && ways.problem === undefined}
        error={error?.errorOf('/password')}
      />
      {asksCode && <CodeField error={error?.errorOf('/code')} />}
      <Button type="submit" variant={isSecond ? 'plain' : 'primary'} pending={isPending}>
        Sign in
      </Button>
    </>
  )
}

function usePassword(returnTo: string) {
  const signIn = useWrite('POST /sessions')
  const client = useQueryClient()
  const { history } = useRouter()
  // The field stays once it was needed: the server answers a wrong code like a wrong password.
  const [asksCode, setAsksCode] = useState(false)
  const send = (field: (name: string) => string) => {
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
  return { send, asksCode, isPending: signIn.isPending, error: signIn.error }
}
