import { z } from 'zod/v4'
import { grantRoles, verbs } from '../../access-rules.ts'
import { roles } from '../../roles.ts'
import { admin, org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, credential, id, page, pageQuery, time } from '../shapes.ts'

const within = {
  environmentIds: z.array(id('env')).min(1).max(50).nullish(),
  schemaIds: z.array(id('sch')).min(1).max(50).nullish(),
}

/** Describes a role that a member, a group or a server key has in some environments and schemas. */
export const grant = z
  .object({
    id: id('gra'),
    subject: z.object({
      type: z.enum(['member', 'group', 'api_key']),
      /** Holds the id of the person, of the group or of the key. */
      id: z.string(),
      name: z.string(),
    }),
    role: z.enum(grantRoles),
    /** `null`: every environment, those to come included. */
    environmentIds: z.array(id('env')).nullable(),
    /** `null`: every schema, those to come included. */
    schemaIds: z.array(id('sch')).nullable(),
    createdAt: time,
    createdBy: author,
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    createdWith: credential.nullable(),
    /** Counts the changes. `If-Match` of a change is compared with it. */
    revision: z.number().int(),
  })
  .meta({ id: 'Grant' })

/** Describes what allows something: the role of a member, a grant, or the kind of an API key. */
const source = z.object({
  kind: z.enum(['role', 'grant', 'key']),
  /** `null`: it is an API key. */
  role: z.enum([...roles, ...grantRoles]).nullable(),
  grantId: id('gra').nullable(),
  /** Names the group that has the grant. `null`: the member has it, or it is no grant. */
  group: z.object({ id: id('grp'), name: z.string() }).nullable(),
})

/** Describes what a member or an API key may do. */
export const access = z
  .object({
    /** Lists the groups of the member. Empty for an API key. */
    groups: z.array(z.object({ id: id('grp'), name: z.string() })),
    /** Lists what allows something, with its environments and schemas; `null`: every one. */
    permissions: z.array(
      z.object({
        by: source,
        verbs: z.array(z.enum(verbs)),
        environmentIds: z.array(z.string()).nullable(),
        schemaIds: z.array(z.string()).nullable(),
      }),
    ),
    /** Answers for the environment and the schema of the query; without one, for every one at once. */
    decisions: z.array(
      z.object({
        verb: z.enum(verbs),
        allowed: z.boolean(),
        /** Names what decides. `null`: nothing allows it. */
        by: source.nullable(),
      }),
    ),
  })
  .meta({ id: 'Access' })

const where = z.strictObject({
  environmentId: id('env').optional(),
  schemaId: id('sch').optional(),
})

export const grantEndpoints = declareEndpoints({ tag: 'People', topics: ['member'] })({
  createGrant: {
    method: 'POST',
    path: `${org}/grants`,
    summary: 'Give a member, a group or a server key a role in some environments and schemas.',
    description:
      'Name one of `userId`, `groupId` and `keyId`. A grant adds to the role that each member has everywhere, or to what a server key does by its access, and takes nothing away. It reaches no environment or schema that the key is not made for, and no key manages access. `editor` writes values and does not read secrets; `reader` reads secrets and writes nothing.',
    access: admin,
    opens: 'door',
    body: z.strictObject({
      userId: id('usr').optional(),
      groupId: id('grp').optional(),
      keyId: id('key').optional(),
      role: z.enum(grantRoles),
      ...within,
    }),
    response: { status: 201, body: grant },
    problems: ['already_exists', 'quota_exceeded'],
  },
  listGrants: {
    method: 'GET',
    path: `${org}/grants`,
    summary: 'The grants of the organization, the newest first.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(grant) },
    problems: ['invalid_cursor'],
  },
  updateGrant: {
    method: 'PATCH',
    path: `${org}/grants/{grant_id}`,
    summary: 'Change the role of a grant, or where it applies.',
    access: admin,
    opens: 'door',
    body: z.strictObject({ role: z.enum(grantRoles).optional(), ...within }),
    response: { status: 200, body: grant },
    problems: ['already_exists', 'revision_mismatch'],
  },
  deleteGrant: {
    method: 'DELETE',
    path: `${org}/grants/{grant_id}`,
    summary: 'End a grant, on every node with the answer.',
    access: admin,
    response: { status: 204 },
  },
  getMemberAccess: {
    method: 'GET',
    path: `${org}/members/{user_id}/access`,
    summary: 'What a member may do, and which role or grant decides.',
    access: viewer,
    query: where,
    response: { status: 200, body: access },
  },
  getKeyAccess: {
    method: 'GET',
    path: `${org}/api-keys/{key_id}/access`,
    summary: 'What an API key may do, and whether its access or a grant decides.',
    access: viewer,
    query: where,
    response: { status: 200, body: access },
  },
})
