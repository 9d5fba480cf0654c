import type { OidcRejection } from '@signalbox/contract/rest'

/** Maps the reason of a failed authorization at the provider to its text, with advice. */
const texts: Readonly<Record<OidcRejection, string>> = {
  not_set_up: 'This server has no OpenID provider. Sign in with your password.',
  state_invalid: 'The provider’s response doesn’t belong to a sign-in from here. Start again.',
  state_expired: 'It took longer than ten minutes. Start again.',
  state_used: 'This sign-in link was already used. Start again.',
  browser_changed:
    'The sign-in was started in another browser, or later in another tab. Start again.',
  session_changed:
    'You are no longer signed in as the person who started this. Sign in, then start again.',
  provider_denied: 'The provider refused: you declined, or its rules don’t allow your sign-in.',
  provider_unavailable: 'The provider isn’t responding. Try again in a minute.',
  provider_response:
    'The provider’s response doesn’t prove your identity. Tell an operator of this server.',
  email_unverified: 'The provider has not verified your e-mail address. Verify it there first.',
  link_required:
    'An account here has your address. Sign in with its password, then link the provider in your account.',
  no_account: 'You have no account here. Ask an admin for an invitation to your address.',
  domain_unverified:
    'Your address is of no domain that the organization of this provider has verified. Ask an owner.',
  invitation_required:
    'An account here has your address and is no member of the organization. Ask an admin for an invitation, and accept it with your password.',
  second_factor_kept:
    'Your account has a password and a second factor. Sign in with these: the provider of an organization doesn’t replace them.',
  identity_taken: 'Another account here is already linked to that provider account.',
  already_linked: 'Your account is already linked to the provider.',
  not_confirmed:
    'Not confirmed: somebody else signed in at the provider, or nobody signed in again.',
}

const unknown = 'The sign-in failed. Try again.'

/** Returns the text of a code in `?error=`. `undefined`: the code belongs to something else. */
export function findProviderError(code: string | null): string | undefined {
  return Object.entries(texts).find(([known]) => known === code)?.[1]
}

/** Returns the text of a failed sign-in at the provider, also for an unknown code. */
export function describeProviderError(code: string): string {
  return findProviderError(code) ?? unknown
}
