import { z } from 'zod/v4'
import { admin, open, org, owner } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  author,
  credential,
  displayName,
  emailAddress,
  givenDisplayName,
  id,
  ownPath,
  time,
} from '../shapes.ts'

/** Describes an OpenID provider of an organization, without its secret. */
export const signInProvider = z
  .object({
    id: id('idp'),
    name: displayName,
    issuer: z.string(),
    clientId: z.string(),
    /** Names the claim that fills the groups with the source `oidc`. */
    groupsClaim: z.string(),
    /** Holds the address to register at the provider as its redirect URI. */
    callbackUrl: z.string(),
    /** Holds the address to register at the provider for back-channel logout. */
    logoutUrl: z.string(),
    createdAt: time,
    createdBy: author,
    /** Says what they were signed in with. */
    createdWith: credential.nullable(),
  })
  .meta({ id: 'SignInProvider' })
export type SignInProviderDocument = z.output<typeof signInProvider>

const providers = `${org}/sign-in-providers` as const
const clientId = z.string().trim().min(1).max(500)
const clientSecret = z.string().min(1).max(2_000)
const groupsClaim = z.string().trim().min(1).max(200)
const issuer = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .regex(/^[^?#@]*$/, 'Use the issuer as the provider writes it, without a query or a fragment.')

/** Declares the OpenID providers of organizations, and signing in and out with them. */
export const signInProviderEndpoints = declareEndpoints({ tag: 'People', topics: ['member'] })({
  listSignInProviders: {
    method: 'GET',
    path: providers,
    summary: 'The OpenID providers with which the people of the organization sign in.',
    access: admin,
    response: { status: 200, body: z.object({ items: z.array(signInProvider) }) },
  },
  createSignInProvider: {
    method: 'POST',
    path: providers,
    summary: 'Add an OpenID provider for the people of the verified e-mail domains.',
    description:
      'Register `callbackUrl` of the response at the provider. It signs in only people whose addresses are of a domain that the organization has verified, and who are members, were added by the directory, or were invited.',
    access: owner,
    opens: 'door',
    body: z.strictObject({
      name: givenDisplayName,
      issuer,
      clientId,
      clientSecret,
      groupsClaim: groupsClaim.default('groups'),
    }),
    response: { status: 201, body: signInProvider },
    problems: ['quota_exceeded', 'domain_unverified'],
  },
  updateSignInProvider: {
    method: 'PATCH',
    path: `${providers}/{provider_id}`,
    summary: 'Change an OpenID provider, such as its client secret. The issuer stays.',
    access: owner,
    opens: 'door',
    body: z.strictObject({
      name: givenDisplayName.optional(),
      clientId: clientId.optional(),
      clientSecret: clientSecret.optional(),
      groupsClaim: groupsClaim.optional(),
    }),
    response: { status: 200, body: signInProvider },
  },
  removeSignInProvider: {
    method: 'DELETE',
    path: `${providers}/{provider_id}`,
    summary: 'Remove an OpenID provider, and end the sessions that it began.',
    access: owner,
    response: { status: 204 },
  },
  beginProviderSignIn: {
    method: 'POST',
    path: '/sign-in/provider',
    summary:
      'Start to sign in with the OpenID provider of the organization that has the domain of an address.',
    description:
      'Redirect the browser that has the cookie of this response to `url`. The response is the same whether or not the address has an account.',
    access: open,
    rateClass: 'signIn',
    body: z.strictObject({ email: emailAddress, returnTo: ownPath.optional() }),
    response: { status: 200, body: z.object({ name: z.string(), url: z.string() }) },
    // The browser leaves for the provider.
    topics: [],
    problems: ['provider_not_set_up', 'provider_error'],
  },
  finishProviderSignIn: {
    method: 'GET',
    path: '/sign-in/oidc/callback/{organization_id}',
    summary:
      'The callback of the OpenID providers of an organization: continues to the dashboard with a session, or to `/login?error=…`.',
    access: open,
    rateClass: 'open',
    query: z.object({
      code: z.string().max(4096).optional(),
      state: z.string().max(4096).optional(),
      iss: z.string().max(4096).optional(),
      error: z.string().max(4096).optional(),
    }),
    response: { status: 303 },
    // Opened by the browser, and shown by nobody.
    topics: [],
  },
  logoutByProvider: {
    method: 'POST',
    path: '/sign-in/oidc/logout/{organization_id}',
    summary: 'End the sessions that an OpenID provider of an organization names.',
    description:
      'OpenID Connect Back-Channel Logout 1.0: a form with `logout_token`, which the provider has signed. It ends the session of `sid`, or all that began with a sign-in of `sub`, on every node within two seconds. Errors are 400 with `error` and `error_description`.',
    access: open,
    rateClass: 'open',
    response: { status: 200 },
    // No dashboard shows sessions of others.
    topics: [],
  },
})
