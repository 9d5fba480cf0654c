import { z } from 'zod'
import { endpoint, roles } from './endpoint.ts'
import { organization, user } from './identity.ts'
import {
  author,
  emailAddress,
  givenPersonName,
  id,
  newPassword,
  page,
  pageQuery,
  personName,
  secondFactorCode,
  time,
  typedPassword,
} from './shapes.ts'

const role = z.enum(roles)

export const member = z
  .object({
    userId: id('usr'),
    name: personName,
    email: z.string(),
    role,
    joinedAt: time,
    /**
     * When they last used this server, to a minute. For owners and admins, who decide who stays; `null` to everybody else,
     * and for who was not here lately.
     */
    lastSeenAt: time.nullable(),
  })
  .meta({ id: 'Member' })

export const invitation = z
  .object({
    id: id('inv'),
    email: z.string(),
    role,
    /** What is accepted, withdrawn or replaced is not listed any more. */
    state: z.enum(['open', 'expired']),
    invitedBy: author,
    createdAt: time,
    expiresAt: time,
  })
  .meta({ id: 'Invitation' })

export const session = z
  .object({
    /** Example: `session_9f86d081884c7d659a2feaa0c55ad015`. Opens nothing. */
    id: z.string(),
    /** Whether it is the one that asks. */
    current: z.boolean(),
    /** The browser and where it runs, as it says. Example: `Firefox on Linux`. */
    client: z.string().nullable(),
    /** From where it was begun: an IPv4 address, or the /64 of an IPv6 one. */
    ip: z.string().nullable(),
    createdAt: time,
    /** Written down once a minute. */
    lastUsedAt: time,
    expiresAt: time,
  })
  .meta({ id: 'Session' })

/** From the fragment of the link, as it stands there. */
const invitationToken = z.string().max(200)

const inOrganization = '/organizations/{org_id}' as const
const admin = { kind: 'organization', role: 'admin', keys: 'none' } as const
const viewer = { kind: 'organization', role: 'viewer', keys: 'none' } as const
const person = { kind: 'person' } as const
const open = { kind: 'open' } as const

const memberEndpoints = {
  listMembers: endpoint({
    operationId: 'listMembers',
    method: 'GET',
    path: `${inOrganization}/members`,
    tag: 'People',
    summary: 'Who is in the organization, and as what.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(member) },
    problems: ['invalid_cursor'],
  }),
  updateMember: endpoint({
    operationId: 'updateMember',
    method: 'PATCH',
    path: `${inOrganization}/members/{user_id}`,
    tag: 'People',
    summary: 'Give a member another role; it counts from the next request on.',
    description:
      'Only an owner makes owners, and changes them. Nobody raises himself. Invitations that the member may not make any more end.',
    access: admin,
    stepUp: true,
    body: z.strictObject({ role }),
    response: { status: 200, body: member },
    problems: ['last_owner'],
  }),
  removeMember: endpoint({
    operationId: 'removeMember',
    method: 'DELETE',
    path: `${inOrganization}/members/{user_id}`,
    tag: 'People',
    summary: 'Take a member out of the organization, or leave it oneself.',
    description:
      'Others are removed by admins, owners by owners. Access ends with the answer, on every node; API keys that the member made are the organization’s and stay.',
    access: viewer,
    stepUp: true,
    response: { status: 204 },
    problems: ['last_owner'],
  }),
} as const

const invitationEndpoints = {
  createInvitation: endpoint({
    operationId: 'createInvitation',
    method: 'POST',
    path: `${inOrganization}/invitations`,
    tag: 'People',
    summary: 'Invite an address; the link is shown once and works for seven days.',
    description:
      'An address has one open invitation: another one takes the place of the former. Only an owner invites owners. Hand the link over yourself: the service sends no mail.',
    access: admin,
    stepUp: true,
    body: z.strictObject({ email: emailAddress, role }),
    response: {
      status: 201,
      /** `url` ends with `#` and the token, which browsers send to nobody. */
      body: invitation.extend({ url: z.string() }),
    },
    problems: ['already_exists', 'quota_exceeded'],
  }),
  listInvitations: endpoint({
    operationId: 'listInvitations',
    method: 'GET',
    path: `${inOrganization}/invitations`,
    tag: 'People',
    summary: 'Invitations that nobody accepted yet, newest first.',
    access: admin,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(invitation) },
    problems: ['invalid_cursor'],
  }),
  revokeInvitation: endpoint({
    operationId: 'revokeInvitation',
    method: 'DELETE',
    path: `${inOrganization}/invitations/{invitation_id}`,
    tag: 'People',
    summary: 'Withdraw an invitation; its link opens nothing any more.',
    access: admin,
    response: { status: 204 },
    problems: [],
  }),
  previewInvitation: endpoint({
    operationId: 'previewInvitation',
    method: 'POST',
    path: '/invitations/preview',
    tag: 'People',
    summary: 'What a link invites to, and what is to be done next.',
    description:
      'For whoever holds the link. A browser that is signed in with the invited address is shown it whole; everybody else `a…@example.com`.',
    access: open,
    rateClass: 'signIn',
    body: z.strictObject({ token: invitationToken }),
    response: {
      status: 200,
      body: z.object({
        organizationName: z.string(),
        /** The name of who invites. */
        invitedBy: z.string(),
        email: z.string(),
        role,
        expiresAt: time,
        /** Whom the browser is signed in as: accept, sign in with the other address, or sign in or register. */
        signedInAs: z.enum(['nobody', 'invited', 'somebody_else']),
        /** Whether to sign in or to register. */
        accountExists: z.boolean(),
      }),
    },
    problems: ['invitation_ended'],
  }),
  acceptInvitation: endpoint({
    operationId: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/accept',
    tag: 'People',
    summary: 'Join the organization as the signed-in person, whose address is the invited one.',
    access: person,
    body: z.strictObject({ token: invitationToken }),
    response: { status: 200, body: z.object({ organization, role }) },
    problems: ['invitation_ended', 'invitation_for_other', 'already_exists', 'role_forbidden'],
  }),
  registerInvited: endpoint({
    operationId: 'registerInvited',
    method: 'POST',
    path: '/invitations/register',
    tag: 'People',
    summary: 'Make the account of the invited address, join, and be signed in.',
    access: open,
    rateClass: 'signIn',
    body: z.strictObject({ token: invitationToken, name: givenPersonName, password: newPassword }),
    response: { status: 201, body: z.object({ user, organization, role, expiresAt: time }) },
    problems: ['invitation_ended', 'already_exists'],
  }),
} as const

const sessionEndpoints = {
  listSessions: endpoint({
    operationId: 'listSessions',
    method: 'GET',
    path: '/sessions',
    tag: 'Identity',
    summary: 'Where the signed-in person is signed in: at most 100, the last used first.',
    access: person,
    response: { status: 200, body: z.object({ items: z.array(session) }) },
    problems: ['role_forbidden'],
  }),
  endSession: endpoint({
    operationId: 'endSession',
    method: 'DELETE',
    path: '/sessions/{session_id}',
    tag: 'Identity',
    summary: 'End one of one’s sessions, on every node at once.',
    access: person,
    response: { status: 204 },
    problems: ['not_found', 'role_forbidden'],
  }),
  endOtherSessions: endpoint({
    operationId: 'endOtherSessions',
    method: 'DELETE',
    path: '/sessions',
    tag: 'Identity',
    summary: 'End all of one’s sessions but the one that asks.',
    access: person,
    response: { status: 204 },
    problems: ['role_forbidden'],
  }),
} as const

const accountEndpoints = {
  updateMe: endpoint({
    operationId: 'updateMe',
    method: 'PATCH',
    path: '/me',
    tag: 'Identity',
    summary: 'Change one’s own name.',
    access: person,
    body: z.strictObject({ name: givenPersonName }),
    response: { status: 200, body: user },
    problems: ['role_forbidden'],
  }),
  changePassword: endpoint({
    operationId: 'changePassword',
    method: 'PUT',
    path: '/me/password',
    tag: 'Identity',
    summary: 'Change the password, which ends all other sessions.',
    description:
      'Guessing costs what it costs at the sign-in. With a second factor, `code` is needed as well. Personal access tokens stay: revoke them beside it if they may be known to others.',
    access: person,
    rateClass: 'signIn',
    body: z.strictObject({
      currentPassword: typedPassword,
      newPassword,
      code: secondFactorCode.optional(),
    }),
    response: { status: 204 },
    problems: ['second_factor_required', 'session_required', 'role_forbidden', 'sealed'],
  }),
  beginSecondFactor: endpoint({
    operationId: 'beginSecondFactor',
    method: 'POST',
    path: '/me/second-factor',
    tag: 'Identity',
    summary: 'Get a secret for an authenticator; nothing changes until a code of it was given.',
    description: 'RFC 6238 with SHA-1, six digits and 30 seconds. The secret waits ten minutes.',
    access: person,
    stepUp: true,
    response: {
      status: 201,
      /** `uri` is what the QR code shows: `otpauth://totp/…`. */
      body: z.object({ secret: z.string(), uri: z.string(), expiresAt: time }),
    },
    problems: ['conflict', 'session_required', 'role_forbidden', 'sealed'],
  }),
  confirmSecondFactor: endpoint({
    operationId: 'confirmSecondFactor',
    method: 'POST',
    path: '/me/second-factor/confirm',
    tag: 'Identity',
    summary: 'Turn the second factor on with a code; answers ten recovery codes, shown once.',
    description: 'Ends all other sessions: they were begun without the second factor.',
    access: person,
    rateClass: 'signIn',
    body: z.strictObject({ code: secondFactorCode }),
    response: { status: 200, body: z.object({ recoveryCodes: z.array(z.string()) }) },
    problems: ['conflict', 'session_required', 'role_forbidden', 'sealed'],
  }),
  removeSecondFactor: endpoint({
    operationId: 'removeSecondFactor',
    method: 'DELETE',
    path: '/me/second-factor',
    tag: 'Identity',
    summary: 'Turn the second factor off; its recovery codes end with it.',
    description: 'Asks for the password and a code within the last ten minutes.',
    access: person,
    stepUp: true,
    response: { status: 204 },
    problems: ['not_found', 'session_required', 'role_forbidden'],
  }),
} as const

export const peopleEndpoints = {
  ...memberEndpoints,
  ...invitationEndpoints,
  ...sessionEndpoints,
  ...accountEndpoints,
} as const
