import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { FormEvent } from 'react'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { FormProblem, Loaded } from '../../components/states.tsx'
import { useMe } from '../../session/session.ts'
import { TextField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { fieldsOf } from '../../browser/read-fields.ts'
import { PasswordField } from '../../shell/password-field.tsx'
import { showToast } from '../../components/toasts.tsx'
import { Age } from '../../components/time.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { TokensPanel } from './tokens-panel.tsx'

/** Renders the settings of a person, which apply in every organization. */
export function AccountScreen() {
  const me = useMe()
  const hasPassword = useHasPassword()
  return (
    <Page
      title="Your account"
      actions={
        <Link to="/" className={buttonClass()}>
          <ArrowLeft aria-hidden size={16} />
          Back to the overview
        </Link>
      }
    >
      <Loaded query={me}>
        {({ name, email, secondFactor }) => (
          <>
            <ProfilePanel name={name} email={email} />
            {hasPassword && <PasswordPanel asksCode={secondFactor?.on === true} />}
            {/* It stands beside a password: whom the provider lets in, it asks for a second factor itself. */}
            {(hasPassword || secondFactor?.on === true) && (
              <SecondFactorPanel secondFactor={secondFactor} />
            )}
            <OidcPanel />
            <SessionsPanel />
            <TokensPanel />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Returns whether the person has a password: who signs in by the OpenID provider may have none. False until known. */
function useHasPassword(): boolean {
  const { data, error } = useRead('GET /me/oidc')
  return data?.hasPassword ?? error !== null
}

/** Renders a person's name and email address, and changes the name. */
function ProfilePanel({ name, email }: Readonly<{ name: string; email: string | null }>) {
  const update = useWrite('PATCH /me')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = { name: fieldsOf(event.currentTarget)('name') }
    update.mutate({ body, onSuccess: () => showToast({ text: 'Saved.' }) })
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

/** Renders the link to the server's OpenID provider, if it has one. */
function OidcPanel() {
  const { data: options } = useRead('GET /sign-in/options')
  const oidc = options?.oidc ?? null
  return oidc === null ? null : <LinkPanel providerName={oidc.name} />
}

function LinkPanel({ providerName }: { readonly providerName: string }) {
  const link = useRead('GET /me/oidc')
  const begin = useWrite('POST /me/oidc/link')
  const end = useWrite('DELETE /me/oidc')
  return (
    <Panel title={providerName} flush>
      <Loaded query={link}>
        {({ linked, hasPassword }) => (
          <div className="flex max-w-2xl flex-col gap-3 p-4">
            <FormProblem problem={begin.error ?? end.error} />
            {linked === null ? (
              <>
                <p className="text-muted">Link your account there to sign in with it.</p>
                <div>
                  <Button
                    pending={begin.isPending}
                    onClick={() =>
                      begin.mutate({
                        body: { returnTo: '/account' },
                        onSuccess: ({ url }) => location.assign(url),
                      })
                    }
                  >
                    Link {providerName}
                  </Button>
                </div>
              </>
            ) : (
              <>
                <p>
                  You sign in with {linked.email ?? 'your account there'}, linked{' '}
                  <Age at={linked.linkedAt} />.
                </p>
                {hasPassword ? (
                  <div>
                    <Button variant="danger" pending={end.isPending} onClick={() => end.mutate({})}>
                      Unlink
                    </Button>
                  </div>
                ) : (
                  <p className="text-muted">
                    You can’t unlink it, because it is your only way to sign in.
                  </p>
                )}
              </>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

/** Changes the password. `asksCode`: the person has a second factor, so it asks for a code too. */
function PasswordPanel({ asksCode }: { readonly asksCode: boolean }) {
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
    change.mutate({
      body,
      onSuccess: () => {
        form.reset()
        showToast({ text: 'Your password is changed, and all your other sessions have ended.' })
      },
    })
  }
  return (
    <Panel title="Password">
      <form className="flex max-w-md flex-col gap-4" noValidate onSubmit={submit}>
        <FormProblem problem={error} fields={['/currentPassword', '/newPassword', '/code']} />
        <PasswordField
          label="Current password"
          name="currentPassword"
          error={error?.errorOf('/currentPassword')}
        />
        <PasswordField
          isNew
          label="New password"
          name="newPassword"
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
