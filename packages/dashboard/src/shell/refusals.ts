import type { OidcRefusal } from '@signalbox/contract/rest'

/** Why a way through the provider led nowhere, and what to do. */
const texts: Readonly<Record<OidcRefusal, string>> = {
  not_set_up: 'This server has no OpenID provider. Sign in with your password.',
  state_invalid: 'The provider’s answer belongs to no sign-in that was begun here. Begin again.',
  state_expired: 'It took longer than ten minutes. Begin again.',
  state_used: 'This answer of the provider was used already. Begin again.',
  browser_changed:
    'The sign-in was begun in another browser, or in another tab since. Begin again.',
  session_changed: 'You are not signed in any more as who began this. Sign in, then begin again.',
  provider_denied: 'The provider said no: you declined, or its rules do not let you in.',
  provider_unavailable: 'The provider does not answer. Try again in a minute.',
  provider_response:
    'The provider’s answer does not prove who you are. Tell whoever runs this server.',
  email_unverified: 'The provider does not vouch for your e-mail address. Verify it there first.',
  link_required:
    'An account here has your address. Sign in with its password, then link the provider in your account.',
  no_account:
    'There is no account for you here. Ask an administrator for an invitation to your address.',
  identity_taken: 'Somebody else here is linked to that account of the provider.',
  already_linked: 'Your account is linked to the provider already.',
  not_confirmed:
    'Nothing was confirmed: somebody else signed in at the provider, or nobody did anew.',
}

const unknown = 'The sign-in led nowhere. Begin again.'

/** What a code of `?error=` means; `undefined` where it is none of the provider's way. */
export function findRefusal(code: string | null): string | undefined {
  return Object.entries(texts).find(([known]) => known === code)?.[1]
}

/** The same, of a sign-in that came back: whatever the code, it led nowhere. */
export function refusalText(code: string): string {
  return findRefusal(code) ?? unknown
}
