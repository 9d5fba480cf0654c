import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'

/** Explains that the invited address has another account than the signed-in one. */
export function SignInAsOther({ isSignedIn }: { readonly isSignedIn: boolean }) {
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
