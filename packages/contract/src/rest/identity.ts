import { z } from 'zod'
import { endpoint, roles } from './endpoint.ts'
import {
  author,
  displayName,
  emailAddress,
  givenTime,
  givenDisplayName,
  givenPersonName,
  id,
  newPassword,
  page,
  pageQuery,
  personName,
  secondFactorCode,
  slug,
  time,
  typedPassword,
} from './shapes.ts'

export const organization = z
  .object({ id: id('org'), slug, name: displayName, createdAt: time })
  .meta({ id: 'Organization' })

export const apiKey = z
  .object({
    id: id('key'),
    name: displayName,
    kind: z.enum(['b2m', 'm2m']),
    /** The beginning of the token, to recognise it by. Example: `sbx_m2m_4fZk20aPq1`. */
    prefix: z.string(),
    environmentIds: z.array(id('env')).nullable(),
    schemaIds: z.array(id('sch')).nullable(),
    allowedOrigins: z.array(z.string()).nullable(),
    state: z.enum(['active', 'expired', 'revoked']),
    expiresAt: time.nullable(),
    /** Until when the token from before the last rotation works. */
    overlapEndsAt: time.nullable(),
    /** Of any request or open stream, also at the delivery. Written down once a minute; `null`: never used. */
    lastUsedAt: time.nullable(),
    createdAt: time,
    createdBy: author,
  })
  .meta({ id: 'ApiKey' })

export const apiKeyWithSecret = apiKey
  .extend({ secret: z.string() })
  .meta({ id: 'ApiKeyWithSecret' })

const origin = z
  .string()
  .regex(
    /^https?:\/\/[^/?#\s]+$/,
    'Give an origin such as https://app.example.com, without a path.',
  )

export const personalAccessToken = z
  .object({
    id: id('key'),
    name: displayName,
    prefix: z.string(),
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'PersonalAccessToken' })

export const user = z
  .object({ id: id('usr'), name: personName, email: z.string() })
  .meta({ id: 'User' })

const owner = { kind: 'organization', role: 'owner', keys: 'none' } as const
const admin = { kind: 'organization', role: 'admin', keys: 'none' } as const
const viewer = { kind: 'organization', role: 'viewer', keys: 'none' } as const

export const identityEndpoints = {
  completeSetup: endpoint({
    operationId: 'completeSetup',
    method: 'POST',
    path: '/setup',
    tag: 'Setup',
    summary: 'Create the first owner and organization with the one-time setup link.',
    access: { kind: 'open' },
    rateClass: 'signIn',
    body: z.strictObject({
      token: z.string().max(200),
      name: givenPersonName,
      email: emailAddress,
      password: newPassword,
      organizationName: givenDisplayName,
    }),
    response: {
      status: 201,
      body: z.object({
        user,
        organization,
        environments: z.array(z.object({ id: id('env'), name: z.string() })),
        keys: z.array(apiKeyWithSecret),
        /** Where applications read their configuration. */
        configUrl: z.string(),
      }),
    },
    problems: ['setup_forbidden', 'setup_closed'],
  }),
  signIn: endpoint({
    operationId: 'signIn',
    method: 'POST',
    path: '/sessions',
    tag: 'Identity',
    summary: 'Sign in with e-mail and password; answers with a session cookie.',
    description:
      'A person with a second factor sends `code` as well: six digits of the authenticator, or a recovery code. Without it, the right password is answered with `second_factor_required`.',
    access: { kind: 'open' },
    rateClass: 'signIn',
    body: z.strictObject({
      email: emailAddress,
      password: typedPassword,
      code: secondFactorCode.optional(),
    }),
    response: { status: 201, body: z.object({ user, expiresAt: time }) },
    problems: ['invalid_credentials', 'second_factor_required', 'sealed'],
  }),
  signOut: endpoint({
    operationId: 'signOut',
    method: 'DELETE',
    path: '/sessions/current',
    tag: 'Identity',
    summary: 'End the session of this browser.',
    access: { kind: 'person' },
    response: { status: 204 },
    problems: ['not_found'],
  }),
  confirmSession: endpoint({
    operationId: 'confirmSession',
    method: 'POST',
    path: '/sessions/current/confirm',
    tag: 'Identity',
    summary:
      'Type the password again, and a code of the second factor, for what asks for it; counts for ten minutes.',
    access: { kind: 'person' },
    rateClass: 'signIn',
    body: z.strictObject({ password: typedPassword, code: secondFactorCode.optional() }),
    response: { status: 204 },
    problems: ['not_found', 'second_factor_required', 'sealed'],
  }),
  whoAmI: endpoint({
    operationId: 'whoAmI',
    method: 'GET',
    path: '/me',
    tag: 'Identity',
    summary: 'Who the credentials belong to and what they reach.',
    access: { kind: 'identified' },
    response: {
      status: 200,
      body: z.object({
        type: z.enum(['user', 'api_key', 'bootstrap']),
        id: z.string().nullable(),
        name: z.string(),
        email: z.string().nullable(),
        keyKind: z.enum(['b2m', 'm2m']).nullable(),
        environmentIds: z.array(z.string()).nullable(),
        schemaIds: z.array(z.string()).nullable(),
        /** `null`: these credentials are no person's. */
        secondFactor: z.object({ on: z.boolean(), recoveryCodesLeft: z.number().int() }).nullable(),
        /** Whether they run this server, and reach what is under `/server`. */
        isOperator: z.boolean(),
        /** With what to open a stream of events, for it to tell at least what is not in anything read after this answer; `null`: these credentials open none. */
        lastEventId: z.string().nullable(),
        organizations: z.array(organization.extend({ role: z.enum(roles).nullable() })),
      }),
    },
    problems: [],
  }),
  listPersonalAccessTokens: endpoint({
    operationId: 'listPersonalAccessTokens',
    method: 'GET',
    path: '/me/tokens',
    tag: 'Identity',
    summary: 'The personal access tokens of the signed-in person.',
    access: { kind: 'person' },
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(personalAccessToken) },
    problems: ['invalid_cursor'],
  }),
  createPersonalAccessToken: endpoint({
    operationId: 'createPersonalAccessToken',
    method: 'POST',
    path: '/me/tokens',
    tag: 'Identity',
    summary: 'Make a personal access token; its secret is shown once.',
    access: { kind: 'person' },
    stepUp: true,
    body: z.strictObject({ name: givenDisplayName, expiresAt: givenTime.nullish() }),
    response: { status: 201, body: personalAccessToken.extend({ secret: z.string() }) },
    problems: ['quota_exceeded'],
  }),
  deletePersonalAccessToken: endpoint({
    operationId: 'deletePersonalAccessToken',
    method: 'DELETE',
    path: '/me/tokens/{token_id}',
    tag: 'Identity',
    summary: 'Revoke a personal access token.',
    access: { kind: 'person' },
    response: { status: 204 },
    problems: [],
  }),
  exchangeToken: endpoint({
    operationId: 'exchangeToken',
    method: 'POST',
    path: '/oauth/token',
    tag: 'Identity',
    summary:
      'Exchange an API key for an access token of 15 minutes (OAuth 2.0 client credentials), or the code of a device for a token.',
    description:
      'RFC 6749 §4.4. `client_id` is the id of the key, `client_secret` the key. As form fields, as JSON, or with HTTP Basic. Errors have the form of RFC 6749 §5.2. A device that asked at `/oauth/device_authorization` gets the personal access token here that a person let it have (RFC 8628 §3.4); that one has no `expires_in`.',
    access: { kind: 'open' },
    rateClass: 'open',
    response: {
      status: 200,
      body: z.object({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.number().int().optional(),
      }),
    },
    problems: [],
  }),
  createOrganization: endpoint({
    operationId: 'createOrganization',
    method: 'POST',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'Create an organization; the caller becomes its owner.',
    access: { kind: 'person' },
    body: z.strictObject({ name: givenDisplayName, slug: slug.optional() }),
    response: { status: 201, body: organization },
    problems: ['already_exists'],
  }),
  listOrganizations: endpoint({
    operationId: 'listOrganizations',
    method: 'GET',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'The organizations the credentials reach.',
    access: { kind: 'identified' },
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(organization) },
    problems: ['invalid_cursor'],
  }),
  getOrganization: endpoint({
    operationId: 'getOrganization',
    method: 'GET',
    path: '/organizations/{org_id}',
    tag: 'Organizations',
    summary: 'One organization.',
    access: { kind: 'organization', role: 'viewer', keys: 'm2m' },
    response: { status: 200, body: organization },
    problems: [],
  }),
  updateOrganization: endpoint({
    operationId: 'updateOrganization',
    method: 'PATCH',
    path: '/organizations/{org_id}',
    tag: 'Organizations',
    summary: 'Rename an organization.',
    access: admin,
    body: z.strictObject({ name: givenDisplayName.optional(), slug: slug.optional() }),
    response: { status: 200, body: organization },
    problems: ['already_exists'],
  }),
  deleteOrganization: endpoint({
    operationId: 'deleteOrganization',
    method: 'DELETE',
    path: '/organizations/{org_id}',
    tag: 'Organizations',
    summary: 'Delete an organization: access ends at once, the data is destroyed seven days later.',
    access: owner,
    stepUp: true,
    response: { status: 204 },
    problems: [],
  }),
  createApiKey: endpoint({
    operationId: 'createApiKey',
    method: 'POST',
    path: '/organizations/{org_id}/api-keys',
    tag: 'API keys',
    summary: 'Make an API key; its secret is shown once.',
    access: admin,
    stepUp: true,
    body: z.strictObject({
      name: givenDisplayName,
      kind: z.enum(['b2m', 'm2m']),
      environmentIds: z.array(id('env')).min(1).max(50).nullish(),
      schemaIds: z.array(id('sch')).min(1).max(50).nullish(),
      expiresAt: givenTime.nullish(),
      allowedOrigins: z.array(origin).min(1).max(50).nullish(),
    }),
    response: { status: 201, body: apiKeyWithSecret },
    problems: ['quota_exceeded'],
  }),
  listApiKeys: endpoint({
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/organizations/{org_id}/api-keys',
    tag: 'API keys',
    summary: 'The API keys of the organization, without their secrets.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(apiKey) },
    problems: ['invalid_cursor'],
  }),
  getApiKey: endpoint({
    operationId: 'getApiKey',
    method: 'GET',
    path: '/organizations/{org_id}/api-keys/{key_id}',
    tag: 'API keys',
    summary: 'One API key, without its secret.',
    access: viewer,
    response: { status: 200, body: apiKey },
    problems: [],
  }),
  updateApiKey: endpoint({
    operationId: 'updateApiKey',
    method: 'PATCH',
    path: '/organizations/{org_id}/api-keys/{key_id}',
    tag: 'API keys',
    summary: 'Rename a key, or change what it is restricted to.',
    access: admin,
    // A key that somebody has is made to reach more, or to live on.
    stepUp: true,
    body: z.strictObject({
      name: givenDisplayName.optional(),
      environmentIds: z.array(id('env')).min(1).max(50).nullish(),
      schemaIds: z.array(id('sch')).min(1).max(50).nullish(),
      expiresAt: givenTime.nullish(),
      allowedOrigins: z.array(origin).min(1).max(50).nullish(),
    }),
    response: { status: 200, body: apiKey },
    problems: [],
  }),
  rotateApiKey: endpoint({
    operationId: 'rotateApiKey',
    method: 'POST',
    path: '/organizations/{org_id}/api-keys/{key_id}/rotate',
    tag: 'API keys',
    summary: 'Give the key a new secret; the old one works on for the overlap.',
    access: admin,
    stepUp: true,
    body: z.strictObject({
      overlapSeconds: z
        .number()
        .int()
        .min(0)
        .max(30 * 24 * 3600)
        .default(3600),
    }),
    response: { status: 200, body: apiKeyWithSecret },
    problems: ['conflict'],
  }),
  revokeApiKey: endpoint({
    operationId: 'revokeApiKey',
    method: 'DELETE',
    path: '/organizations/{org_id}/api-keys/{key_id}',
    tag: 'API keys',
    summary: 'Revoke a key on every node within two seconds.',
    access: admin,
    response: { status: 204 },
    problems: [],
  }),
} as const
