import { z } from 'zod/v4'
import { admin, org, viewer } from '../access.ts'
import { roles } from '../../roles.ts'
import { endpoint } from '../endpoint.ts'
import { author, credential, id, page, pageQuery, personName, time } from '../shapes.ts'

const role = z.enum(roles)

/** Describes a member as it crosses the wire. */
export const member = z
  .object({
    userId: id('usr'),
    name: personName,
    email: z.string(),
    role,
    joinedAt: time,
    /** Names who gave them their role: who invited them, or changed it last. `null`: an earlier release did not store it. */
    grantedBy: author.nullable(),
    /** Says what they were signed in with. `null`: an earlier release did not store it. */
    grantedWith: credential.nullable(),
    /**
     * Holds the time of their last request, to a minute. Only for owners and admins, who manage access; `null` for
     * everybody else, and for members who were not here lately.
     */
    lastSeenAt: time.nullable(),
  })
  .meta({ id: 'Member' })

/** Declares the endpoints of members. */
export const memberEndpoints = {
  listMembers: endpoint({
    operationId: 'listMembers',
    method: 'GET',
    path: `${org}/members`,
    tag: 'People',
    summary: 'The members of the organization and their roles.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(member) },
    topics: ['member'],
    problems: ['invalid_cursor'],
  }),
  updateMember: endpoint({
    operationId: 'updateMember',
    method: 'PATCH',
    path: `${org}/members/{user_id}`,
    tag: 'People',
    summary: 'Change the role of a member, from the next request on.',
    description:
      'Only an owner can add or change owners, and nobody can raise their own role. Open invitations that the member may no longer make end.',
    access: admin,
    opens: 'door',
    body: z.strictObject({ role }),
    response: { status: 200, body: member },
    topics: ['member'],
    problems: ['last_owner'],
  }),
  removeMember: endpoint({
    operationId: 'removeMember',
    method: 'DELETE',
    path: `${org}/members/{user_id}`,
    tag: 'People',
    summary: 'Remove a member from the organization, or leave it.',
    description:
      'Admins remove members, and only owners remove owners. Access ends immediately on every node. API keys that the member created belong to the organization and stay.',
    access: viewer,
    stepUp: true,
    response: { status: 204 },
    topics: ['member', 'api_key'],
    problems: ['last_owner'],
  }),
} as const
