import { z } from 'zod/v4'
import { agentScopes } from '../../agent-scopes.ts'
import { org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { displayName, givenDisplayName, givenTime, id, page, pageQuery, time } from '../shapes.ts'

/** Describes a token with which an assistant acts for a member, without its secret. */
export const agentToken = z
  .object({
    id: id('key'),
    name: displayName,
    prefix: z.string(),
    scope: z.enum(agentScopes),
    /** Names the member for whom the assistant acts. */
    member: z.object({ id: id('usr'), name: z.string() }),
    /** Holds the name that the assistant gave itself at its last use. Example: `claude-code 2.3`. `null`: never used. */
    client: z.string().nullable(),
    /** Holds the host that describes the assistant, where a member connected it by OAuth. `null`: it was given its token. */
    clientHost: z.string().nullable(),
    expiresAt: time,
    lastUsedAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'AgentToken' })

const tokens = `${org}/agent-tokens` as const

export const agentTokenEndpoints = declareEndpoints({ tag: 'Identity', topics: ['api_key'] })({
  listAgentTokens: {
    method: 'GET',
    path: tokens,
    summary: 'The agent tokens that work: a member’s own, and for admins those of every member.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(agentToken) },
    problems: ['invalid_cursor'],
  },
  createAgentToken: {
    method: 'POST',
    path: tokens,
    summary: 'Create a token for an assistant. The response shows its secret once.',
    description:
      'The token works at `/mcp` only and acts as the member who creates it, never beyond their role. It reveals no secret. `read` reads and proposes, `write` applies proposals outside of production and protected environments too. It expires at `expiresAt`: by default after 7 days, and after 30 days at most. Needs a session, because a token cannot create tokens.',
    access: viewer,
    stepUp: true,
    body: z.strictObject({
      name: givenDisplayName,
      scope: z.enum(agentScopes).default('read'),
      expiresAt: givenTime.optional(),
    }),
    response: { status: 201, body: agentToken.extend({ secret: z.string() }) },
    problems: ['quota_exceeded', 'session_required'],
  },
  endAgentToken: {
    method: 'DELETE',
    path: `${tokens}/{agent_token_id}`,
    summary: 'End an agent token: one’s own, and for admins that of any member.',
    access: viewer,
    response: { status: 204 },
  },
})
