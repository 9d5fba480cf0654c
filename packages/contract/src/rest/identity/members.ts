import { z } from 'zod/v4'
import { admin, org, viewer } from '../access.ts'
import { roles } from '../../roles.ts'
import { declareEndpoints } from '../endpoint.ts'
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
    /** Names who gave them their role: who invited them, or changed it last. `null`: not known. */
    grantedBy: author.nullable(),
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    grantedWith: credential.nullable(),
    /**
     * Holds the time of their last request, to a minute. Only for owners and admins, who manage access; `null` for
     * everybody else, and for members who were not here lately.
     */
    lastSeenAt: time.nullable(),
  })
  .meta({ id: 'Member' })

/** Lists what goes on when the person who made it, or the token that they made it with, has ended. */
const madeKinds = [
  'api_key',
  'invitation',
  'scim_token',
  'sign_in_provider',
  'member',
  'grant',
  'group_member',
  'integration',
  'outgoing_webhook',
  'signal',
  'target',
] as const

/** Describes something that a member made or changed, and that goes on without them. */
export const madeThing = z
  .object({
    kind: z.enum(madeKinds),
    id: z.string(),
    name: z.string(),
    /** `changed`: another person created it. The member may know its new secret, or has chosen where it leads. */
    did: z.enum(['created', 'changed']),
    /** Holds the time at which they created it, or changed it last. */
    at: time,
    /** Holds the last use of a key, the last message of a webhook, or the last success of a target. */
    lastUsedAt: time.nullable(),
    /** Names the operation that pauses it. `null`: there is none, so a person decides what becomes of it. */
    pausedBy: z
      .enum(['pauseApiKey', 'revokeInvitation', 'pauseOutgoingWebhook', 'pauseTarget'])
      .nullable(),
  })
  .meta({ id: 'MadeThing' })
export type MadeThing = z.output<typeof madeThing>

export const memberEndpoints = declareEndpoints({ tag: 'People', topics: ['member'] })({
  listMembers: {
    method: 'GET',
    path: `${org}/members`,
    summary: 'The members of the organization and their roles.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(member) },
    problems: ['invalid_cursor'],
  },
  updateMember: {
    method: 'PATCH',
    path: `${org}/members/{user_id}`,
    summary: 'Change the role of a member, from the next request on.',
    description:
      'Only an owner can add or change owners, and nobody can raise their own role. Open invitations that the member may no longer make end.',
    access: admin,
    opens: 'door',
    body: z.strictObject({ role }),
    response: { status: 200, body: member },
    problems: ['last_owner'],
  },
  listMadeByMember: {
    method: 'GET',
    path: `${org}/members/{user_id}/made`,
    summary: 'What a member made or changed that goes on without them, the newest first.',
    description:
      'Read it before you remove a member, or with `token` before you revoke a personal access token: what was made with a stolen token outlives it. `pausedBy` names the operation that pauses each. It lists former members too, at most 1,000 things, and of tokens what was made since it is recorded.',
    access: admin,
    query: z.strictObject({ token: id('key').optional() }),
    response: { status: 200, body: z.object({ items: z.array(madeThing) }) },
    topics: ['member', 'api_key', 'integration', 'outgoing_webhook', 'signal', 'target'],
  },
  removeMember: {
    method: 'DELETE',
    path: `${org}/members/{user_id}`,
    summary: 'Remove a member from the organization, or leave it.',
    description:
      'Admins remove members, and only owners remove owners. Access ends immediately on every node. API keys that the member created belong to the organization and stay: `GET …/members/{user_id}/made` lists them, and what else goes on.',
    access: viewer,
    stepUp: true,
    response: { status: 204 },
    topics: ['member', 'api_key'],
    problems: ['last_owner'],
  },
})
