import { z } from 'zod/v4'
import { admin, open, org, person } from '../access.ts'
import { roles } from '../../roles.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  author,
  credential,
  emailAddress,
  givenPersonName,
  id,
  newPassword,
  page,
  pageQuery,
  time,
} from '../shapes.ts'
import { organization, user } from './shapes.ts'

const role = z.enum(roles)

/** Describes an invitation as it crosses the wire. */
export const invitation = z
  .object({
    id: id('inv'),
    email: z.string(),
    role,
    /** Accepted, withdrawn and replaced invitations are not listed. */
    state: z.enum(['open', 'expired']),
    invitedBy: author,
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    invitedWith: credential.nullable(),
    createdAt: time,
    expiresAt: time,
  })
  .meta({ id: 'Invitation' })

/** Holds the token from the fragment of the link. */
const invitationToken = z.string().max(200)

export const invitationEndpoints = declareEndpoints({ tag: 'People', topics: ['member'] })({
  createInvitation: {
    method: 'POST',
    path: `${org}/invitations`,
    summary: 'Invite an e-mail address. The response shows the link once; it works for seven days.',
    description:
      'An address has at most one open invitation: a new one replaces it. Only an owner can invite owners. Send the link yourself, because the service sends no mail.',
    access: admin,
    opens: 'door',
    body: z.strictObject({ email: emailAddress, role }),
    response: {
      status: 201,
      /** Returns a `url` that ends with `#` and the token, which browsers send to no server. */
      body: invitation.extend({ url: z.string() }),
    },
    problems: ['already_exists', 'quota_exceeded'],
  },
  listInvitations: {
    method: 'GET',
    path: `${org}/invitations`,
    summary: 'Invitations that nobody accepted yet, newest first.',
    access: admin,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(invitation) },
    problems: ['invalid_cursor'],
  },
  revokeInvitation: {
    method: 'DELETE',
    path: `${org}/invitations/{invitation_id}`,
    summary: 'Withdraw an invitation. Its link stops working.',
    access: admin,
    response: { status: 204 },
  },
  previewInvitation: {
    method: 'POST',
    path: '/invitations/preview',
    summary: 'The organization and role of an invitation link, and the next step.',
    description:
      'Needs only the link. A person who is signed in with the invited address sees the whole address, everybody else `a…@example.com`.',
    access: open,
    rateClass: 'signIn',
    body: z.strictObject({ token: invitationToken }),
    response: {
      status: 200,
      body: z.object({
        organizationName: z.string(),
        /** Holds the name of the inviting person. */
        invitedBy: z.string(),
        email: z.string(),
        role,
        expiresAt: time,
        /** Names the account of the browser's session: accept, sign in with the other address, or sign in or register. */
        signedInAs: z.enum(['nobody', 'invited', 'somebody_else']),
        /** Says whether the address has an account: then sign in instead of registering. */
        accountExists: z.boolean(),
      }),
    },
    // Changes nothing.
    topics: [],
    problems: ['invitation_ended'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/invitations/accept',
    summary:
      'Join the organization as the signed-in person, if the invitation is for that address.',
    access: person,
    body: z.strictObject({ token: invitationToken }),
    response: { status: 200, body: z.object({ organization, role }) },
    topics: ['member', 'organization'],
    problems: ['invitation_ended', 'invitation_for_other', 'already_exists', 'role_forbidden'],
  },
  registerInvited: {
    method: 'POST',
    path: '/invitations/register',
    summary: 'Create an account for the invited address, join the organization, and sign in.',
    access: open,
    rateClass: 'signIn',
    body: z.strictObject({ token: invitationToken, name: givenPersonName, password: newPassword }),
    response: { status: 201, body: z.object({ user, organization, role, expiresAt: time }) },
    topics: ['account', 'member', 'organization'],
    problems: ['invitation_ended', 'already_exists'],
  },
})
