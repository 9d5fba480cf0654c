import { z } from 'zod/v4'
import { person } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { displayName, givenDisplayName, givenTime, id, page, pageQuery, time } from '../shapes.ts'

/** Describes a personal access token as it crosses the wire. */
export const personalAccessToken = z
  .object({
    id: id('key'),
    name: displayName,
    prefix: z.string(),
    /** Says whether the token has the right to manage: to create keys, invite, and open other doors that outlive it. */
    manages: z.boolean(),
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'PersonalAccessToken' })

export const personalTokenEndpoints = declareEndpoints({ tag: 'Identity', topics: ['account'] })({
  listPersonalAccessTokens: {
    method: 'GET',
    path: '/me/tokens',
    summary: 'The personal access tokens of the signed-in person.',
    access: person,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(personalAccessToken) },
    problems: ['invalid_cursor'],
  },
  createPersonalAccessToken: {
    method: 'POST',
    path: '/me/tokens',
    summary: 'Create a personal access token. The response shows its secret once.',
    description:
      'Needs a session, because a token cannot create tokens. The token expires at `expiresAt`: by default after 90 days, with `null` never. Without `manages`, it creates no API keys, invitations, targets, outgoing webhooks and connections, and changes no roles: these need the dashboard, or a token with `manages`.',
    access: person,
    stepUp: true,
    body: z.strictObject({
      name: givenDisplayName,
      manages: z.boolean().default(false),
      expiresAt: givenTime.nullish(),
    }),
    response: { status: 201, body: personalAccessToken.extend({ secret: z.string() }) },
    problems: ['quota_exceeded', 'session_required'],
  },
  deletePersonalAccessToken: {
    method: 'DELETE',
    path: '/me/tokens/{token_id}',
    summary: 'Revoke a personal access token.',
    access: person,
    response: { status: 204 },
  },
})
