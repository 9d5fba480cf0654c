import { z } from 'zod/v4'
import { open, person } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { ownPath, time } from '../shapes.ts'

/** Lists the reasons why signing in with a provider failed: `?error=` of the page it ends on. */
export const oidcRejections = [
  /** The settings of this server name no provider. */
  'not_set_up',
  'state_invalid',
  'state_expired',
  'state_used',
  /** The sign-in began in another browser, or another tab has begun one since. */
  'browser_changed',
  /** The person who began to link or to confirm is not signed in here any more. */
  'session_changed',
  /** The person, or the provider by its rules, said no. */
  'provider_denied',
  'provider_unavailable',
  /** The provider's response does not prove the identity. */
  'provider_response',
  'email_unverified',
  /** An account here has the address. Sign in with the password, then link it. */
  'link_required',
  /** There is no account, and no open invitation to the address. */
  'no_account',
  /** The address is of no domain that the organization of the provider has verified. */
  'domain_unverified',
  /** An account here has the address, and is that of no member. */
  'invitation_required',
  /** The account has a password with a second factor, which the provider of one organization does not replace. */
  'second_factor_kept',
  /** To link: the account at the provider is linked to somebody else here. */
  'identity_taken',
  /** To link: the account here has one at the provider already. */
  'already_linked',
  /** To confirm: somebody else signed in at the provider, or nobody did again. */
  'not_confirmed',
] as const

export type OidcRejection = (typeof oidcRejections)[number]

/** Accepts more than any state or code, and bounds the work of parsing. */
const answered = z.string().max(4096).optional()

const url = z.object({
  /** Holds the address at the provider. Redirect the browser that has the cookie of this response. */
  url: z.string(),
})

/** Declares the endpoints of signing in with the OpenID provider. */
export const oidcEndpoints = declareEndpoints({ tag: 'Sign-in', topics: ['account'] })({
  getSignInOptions: {
    method: 'GET',
    path: '/sign-in/options',
    summary: 'The sign-in methods of this server.',
    access: open,
    rateClass: 'open',
    response: {
      status: 200,
      body: z.object({
        password: z.literal(true),
        /** Holds the provider. `null`: none is set up. */
        oidc: z.object({ name: z.string() }).nullable(),
        /** Says that organizations have providers of their own, which an e-mail address leads to. */
        byEmail: z.boolean(),
      }),
    },
    // Shown before anybody is signed in, where nothing is announced.
    topics: [],
  },
  beginOidcSignIn: {
    method: 'GET',
    path: '/sign-in/oidc',
    summary: 'Redirect the browser to the OpenID provider to sign in, or back to `/login?error=…`.',
    description:
      'OpenID Connect Core §3.1 with PKCE. Only the same browser can finish, once, within ten minutes.',
    access: open,
    rateClass: 'signIn',
    query: z.strictObject({ returnTo: ownPath.optional() }),
    response: { status: 303 },
    // Opened by the browser, and shown by nobody.
    topics: [],
  },
  finishOidcSignIn: {
    method: 'GET',
    path: '/sign-in/oidc/callback',
    summary:
      'The callback of the OpenID provider: continues to the dashboard with a session, or to `/login?error=…`.',
    description:
      'Errors of linking and confirming are added as `?error=…` to the page on which the person started.',
    access: open,
    rateClass: 'open',
    query: z.object({ code: answered, state: answered, iss: answered, error: answered }),
    response: { status: 303 },
    // Opened by the browser, and shown by nobody.
    topics: [],
  },
  getOidcLink: {
    method: 'GET',
    path: '/me/oidc',
    summary: 'The account at the OpenID provider that signs you in.',
    access: person,
    response: {
      status: 200,
      body: z.object({
        linked: z
          .object({
            issuer: z.string(),
            /** Holds the address that the provider sent when it was linked. */
            email: z.string().nullable(),
            linkedAt: time,
          })
          .nullable(),
        /** Says whether there is a password. Without one, the link is the only way to sign in, and cannot be removed. */
        hasPassword: z.boolean(),
      }),
    },
  },
  beginOidcLink: {
    method: 'POST',
    path: '/me/oidc/link',
    summary: 'Start to link an account at the OpenID provider, which signs you in from then on.',
    access: person,
    stepUp: true,
    body: z.strictObject({ returnTo: ownPath.optional() }),
    response: { status: 200, body: url },
    // The link is made when the browser comes back.
    topics: [],
    problems: [
      'provider_not_set_up',
      'provider_error',
      'already_exists',
      'session_required',
      'role_forbidden',
    ],
  },
  deleteOidcLink: {
    method: 'DELETE',
    path: '/me/oidc',
    summary: 'Remove the link to the account at the OpenID provider, which no longer signs you in.',
    access: person,
    stepUp: true,
    response: { status: 204 },
    problems: ['not_found', 'conflict', 'session_required', 'role_forbidden'],
  },
  beginOidcConfirm: {
    method: 'POST',
    path: '/me/oidc/confirm',
    summary:
      'Start a fresh sign-in at the OpenID provider, which confirms sensitive actions in place of a password.',
    access: person,
    body: z.strictObject({ returnTo: ownPath.optional() }),
    response: { status: 200, body: url },
    // The browser leaves for the provider.
    topics: [],
    problems: [
      'provider_not_set_up',
      'provider_error',
      'not_found',
      'session_required',
      'role_forbidden',
    ],
  },
})
