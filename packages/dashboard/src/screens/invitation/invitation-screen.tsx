import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../api/routes.ts'
import { FormProblem, Loaded, Skeleton } from '../../components/states.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { useWrite } from '../../api/use-api.ts'
import { TextField } from '../../components/field.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { PasswordField } from '../../shell/password-field.tsx'

/** Shows the invitation of a link, and the next step. */
export function InvitationScreen() {
  // Opening another link in the same tab changes only the fragment.
  const token = tokenOf(useLocation().hash)
  if (token === '') {
    return (
      <SignedOutLayout title="Invitation">
        <p role="alert">The link is incomplete. Copy all of it, or ask for a new one.</p>
      </SignedOutLayout>
    )
  }
  return <Invitation key={token} token={token} />
}

let links = 0

function Invitation({ token }: { readonly token: string }) {
  // The cache key does not contain the token: keys are kept longer than a secret may be.
  const [link] = useState(() => (links += 1))
  const preview = useQuery<AnswerOf<'POST /invitations/preview'>>({
    queryKey: ['POST /invitations/preview', link],
    queryFn: ({ signal }) => call('POST /invitations/preview', { body: { token } }, signal),
    gcTime: 0,
    retry: false,
  })
  return (
    <Loaded
      query={preview}
      skeleton={<Skeleton lines={2} />}
      around={(instead) => <SignedOutLayout title="Invitation">{instead}</SignedOutLayout>}
    >
      {({ organizationName, invitedBy, email, role, signedInAs, accountExists }) => (
        <SignedOutLayout
          title={`Join ${organizationName}`}
          lead={`${invitedBy} invites ${email} as ${role}.`}
        >
          {signedInAs === 'invited' ? (
            <AcceptInvitation token={token} />
          ) : accountExists ? (
            <SignInAsOther isSignedIn={signedInAs === 'somebody_else'} />
          ) : (
            <RegisterInvited token={token} />
          )}
        </SignedOutLayout>
      )}
    </Loaded>
  )
}

/** Returns the token of a link, behind its `#`: alone, or by its name. */
function tokenOf(fragment: string): string {
  const text = fragment.replace(/^#/, '')
  return new URLSearchParams(text).get('token') ?? text
}

/** Explains that the invited address has another account than the signed-in one. */
function SignInAsOther({ isSignedIn }: { readonly isSignedIn: boolean }) {
  return (
    <>
      <p>
        {isSignedIn
          ? 'You are signed in with a different address. Sign in with the invited one, then open the link again.'
          : 'This address already has an account here. Sign in with it, then open the link again.'}
      </p>
      {/* In place of the link: its token is not left in the history for whoever comes next. */}
      <Link to="/login" search={{}} replace className={buttonClass('primary')}>
        Sign in
      </Link>
    </>
  )
}

/** Lets the signed-in person join the organization. */
function AcceptInvitation({ token }: { readonly token: string }) {
  const accept = useWrite('POST /invitations/accept')
  const navigate = useNavigate()
  return (
    <>
      <FormProblem problem={accept.error} />
      <Button
        variant="primary"
        pending={accept.isPending}
        onClick={() =>
          accept.mutate({
            body: { token },
            onSuccess: ({ organization }) =>
              // Replaces the link in the browser's history, because its token is used up.
              void navigate({
                to: '/$org',
                params: { org: organization.slug },
                replace: true,
              }),
          })
        }
      >
        Join
      </Button>
    </>
  )
}

/** Creates the account of the invited address, and joins. */
function RegisterInvited({ token }: { readonly token: string }) {
  const register = useWrite('POST /invitations/register')
  const client = useQueryClient()
  const navigate = useNavigate()
  const { error } = register

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = fieldsOf(event.currentTarget)
    register.mutate({
      body: { token, name: field('name'), password: field('password') },
      onSuccess: ({ organization }) => {
        client.clear()
        // Replaces the link in the browser's history, because its token is used up.
        void navigate({ to: '/$org', params: { org: organization.slug }, replace: true })
      },
    })
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
      <PasswordField isNew error={error?.errorOf('/password')} />
      <Button type="submit" variant="primary" pending={register.isPending}>
        Create account and join
      </Button>
    </form>
  )
}
