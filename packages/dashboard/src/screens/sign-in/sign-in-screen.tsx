import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toUrl } from '../../api/call.ts'
import { useRead } from '../../api/use-api.ts'
import { buttonClass } from '../../components/button.tsx'
import { SignedOutLayout } from '../../shell/signed-out-layout.tsx'
import { forgetAnswers } from '../../session/forget-person.ts'
import { describeProviderError } from '../../shell/provider-errors.ts'
import { SignInForm } from './sign-in-form.tsx'

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
      <SignInForm returnTo={returnTo} isAddressFirst={options?.byEmail === true} />
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
