import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../parts/button.tsx'

/** The invited address has an account, and it is not the one that is signed in. */
export function SignInAsOther({ isSignedIn }: { readonly isSignedIn: boolean }) {
  return (
    <>
      <p>
        {isSignedIn
          ? 'You are signed in with a different address. Sign in with the invited one, then open the link again.'
          : 'This address already has an account here. Sign in with it, then open the link again.'}
      </p>
      {/* In place of the link: its token is not left in the history for whoever comes next. */}
      <Link to="/login" search={{}} replace className={buttonLook('primary')}>
        Sign in
      </Link>
    </>
  )
}
