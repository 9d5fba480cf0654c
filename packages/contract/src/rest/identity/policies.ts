import { z } from 'zod/v4'
import { agentScopes, assistantRules } from '../../agent-scopes.ts'
import { roles } from '../../roles.ts'
import { admin, org, owner } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, credential, displayName, id, personName, time } from '../shapes.ts'

/** Matches a host as addresses show it: in lower case, with its port unless that is the usual one of https. */
const hostPattern =
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::(?!443$)[1-9]\d{0,4})?$/

const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(hostPattern, 'Use a host, such as claude.ai, without https:// and without a path.')

const rules = {
  /** Says whether members without a second factor are kept out. */
  secondFactorRequired: z.boolean(),
  /** Limits how many days a token works that reaches the organization, from its creation. `null`: no limit. */
  tokenDays: z.number().int().min(1).max(3_650).nullable(),
  /** Limits the minutes without a request after which a session is confirmed again. `null`: no limit of its own. */
  sessionIdleMinutes: z.number().int().min(5).max(720).nullable(),
  assistants: z.strictObject({
    rule: z.enum(assistantRules),
    /** Lists the hosts that describe assistants: that of their `client_id`. */
    hosts: z.array(host).max(100),
    /** Says whether agent tokens that members make by hand count like a listed host. */
    ownTokens: z.boolean(),
  }),
}

/** Describes what an organization requires, whom it keeps out, and what it has of what it no longer lets members make. */
export const organizationPolicies = z
  .object({
    ...rules,
    /** Holds the moment before which no confirmation of a session counts. `null`: sessions were never ended. */
    sessionsValidFrom: time.nullable(),
    /** `null`: nobody has changed anything yet. */
    changedAt: time.nullable(),
    changedBy: author.nullable(),
    /** Says what they were signed in with. `null`: nobody has changed anything yet. */
    changedWith: credential.nullable(),
    effects: z.object({
      /** Lists the members without a second factor, also where none is required. At most 200. */
      withoutSecondFactor: z.array(
        z.object({
          userId: z.string(),
          name: personName,
          email: z.string(),
          role: z.enum(roles),
        }),
      ),
      /** Lists the members of whom personal access tokens work for longer than `tokenDays`. At most 200. */
      longTokens: z.array(z.object({ userId: z.string(), name: personName, tokens: z.number() })),
      /** Lists the API keys that end later than `tokenDays` from now. They go on. At most 200. */
      longKeys: z.array(z.object({ id: id('key'), name: displayName, expiresAt: time.nullable() })),
      /** Lists the agent tokens that may do less than their members allowed. At most 200. */
      assistants: z.array(
        z.object({
          id: id('key'),
          name: displayName,
          clientHost: z.string().nullable(),
          memberName: personName,
          /** Holds what is left. `null`: nothing. */
          scope: z.enum(agentScopes).nullable(),
        }),
      ),
    }),
  })
  .meta({ id: 'OrganizationPolicies' })

export const policyEndpoints = declareEndpoints({
  tag: 'Organizations',
  topics: ['organization', 'member', 'api_key'],
})({
  getPolicies: {
    method: 'GET',
    path: `${org}/policies`,
    summary: 'What the organization requires of its members, and whom that keeps out.',
    access: admin,
    response: { status: 200, body: organizationPolicies },
  },
  updatePolicies: {
    method: 'PUT',
    path: `${org}/policies`,
    summary: 'Replace what the organization requires, on every node from the next request.',
    description:
      'With `dryRun: true` nothing changes, and `effects` says whom the new rules would keep out. An owner without a second factor cannot require one. Existing API keys that end later than `tokenDays` go on; those that are made or changed may not.',
    access: owner,
    opens: 'door',
    body: z.strictObject({ ...rules, dryRun: z.boolean().default(false) }),
    response: { status: 200, body: organizationPolicies },
  },
  endMemberSessions: {
    method: 'POST',
    path: `${org}/policies/end-sessions`,
    summary:
      'Let every session of a member reach the organization only after it is confirmed again.',
    description:
      'Streams of changes end. A session is of a person, who may be a member elsewhere: there it goes on. Tokens and API keys are no sessions.',
    access: owner,
    stepUp: true,
    response: { status: 204 },
  },
})
