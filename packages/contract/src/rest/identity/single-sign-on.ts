import { z } from 'zod/v4'
import { admin, org, owner } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, credential, displayName, givenDisplayName, id, time } from '../shapes.ts'

/** Lists what a check of a domain's record ends with. `unreachable`: DNS did not answer, which says nothing of the record. */
export const domainChecks = ['found', 'absent', 'unreachable'] as const

/** Describes an e-mail domain that an organization verifies or has verified. */
export const emailDomain = z
  .object({
    /** Example: `acme.com`. Each subdomain is verified by itself. */
    domain: z.string(),
    /** Says whether it is verified now. `missing`: it is, and its record is gone. */
    state: z.enum(['unverified', 'verified', 'missing']),
    /** Lists the names at which the TXT record counts. One of them is enough. */
    recordNames: z.array(z.string()),
    /** Holds the text of the record. */
    recordValue: z.string(),
    verifiedAt: time.nullable(),
    checkedAt: time.nullable(),
    lastCheck: z.enum(domainChecks).nullable(),
    /** Holds the time at which the proof ends unless the record is there again. `null`: the record is there, or nothing is verified. */
    endsAt: time.nullable(),
    createdAt: time,
    createdBy: author,
    /** Says what they were signed in with. `null`: the service itself. */
    createdWith: credential.nullable(),
  })
  .meta({ id: 'EmailDomain' })
export type EmailDomainDocument = z.output<typeof emailDomain>

const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
    'Use a domain such as acme.com. Write other alphabets as xn--….',
  )

/** Describes the token of a directory, without its secret. */
export const scimToken = z
  .object({
    id: id('key'),
    name: displayName,
    prefix: z.string(),
    createdAt: time,
    createdBy: author,
    /** Says what they were signed in with. */
    createdWith: credential.nullable(),
    /** Holds the time of the last request, to a minute. `null`: never used. */
    lastUsedAt: time.nullable(),
  })
  .meta({ id: 'ScimToken' })

const domains = `${org}/email-domains` as const
const tokens = `${org}/scim-tokens` as const

/** Declares how an organization verifies its e-mail domains, and lets a directory manage its people. */
export const singleSignOnEndpoints = declareEndpoints({ tag: 'People', topics: ['member'] })({
  listEmailDomains: {
    method: 'GET',
    path: domains,
    summary: 'The e-mail domains of the organization, with the record that verifies each.',
    access: admin,
    response: { status: 200, body: z.object({ items: z.array(emailDomain) }) },
  },
  addEmailDomain: {
    method: 'POST',
    path: domains,
    summary: 'Add an e-mail domain, which a TXT record then verifies.',
    description:
      'Nothing is verified yet: create the record, then check the domain. The service also checks every domain each day. A domain of a public mail service is refused.',
    access: owner,
    body: z.strictObject({ domain: domainName }),
    response: { status: 201, body: emailDomain },
    problems: ['already_exists', 'quota_exceeded'],
  },
  checkEmailDomain: {
    method: 'POST',
    path: `${domains}/{domain}/check`,
    summary: 'Look for the record of an e-mail domain now.',
    description:
      'The domain is verified when the record is found. `conflict`: another organization of this server has verified it. The proof ends seven days after the record was last found, in the daily check.',
    access: owner,
    response: { status: 200, body: emailDomain },
    problems: ['conflict'],
  },
  removeEmailDomain: {
    method: 'DELETE',
    path: `${domains}/{domain}`,
    summary: 'Remove an e-mail domain. The directory then adds nobody with such an address.',
    access: owner,
    response: { status: 204 },
  },
  listScimTokens: {
    method: 'GET',
    path: tokens,
    summary: 'The tokens with which a directory manages the people of the organization over SCIM.',
    access: admin,
    response: { status: 200, body: z.object({ items: z.array(scimToken) }) },
  },
  createScimToken: {
    method: 'POST',
    path: tokens,
    summary: 'Create a SCIM token. The response shows its secret once.',
    description:
      'There are at most two, so that a directory can be given a new one before the old one ends. It works below `/organizations/{org_id}/scim/v2` only. `domain_unverified`: verify an e-mail domain first, because the directory adds only people with addresses of verified domains.',
    access: owner,
    opens: 'door',
    body: z.strictObject({ name: givenDisplayName }),
    response: { status: 201, body: scimToken.extend({ secret: z.string() }) },
    problems: ['quota_exceeded', 'domain_unverified'],
  },
  revokeScimToken: {
    method: 'DELETE',
    path: `${tokens}/{scim_token_id}`,
    summary: 'End a SCIM token immediately. The people it added stay.',
    access: owner,
    response: { status: 204 },
  },
})
