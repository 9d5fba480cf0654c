import { z } from 'zod/v4'
import { groupSources } from '../../access-rules.ts'
import { admin, org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import {
  author,
  credential,
  displayName,
  givenDisplayName,
  id,
  page,
  pageQuery,
  personName,
  time,
} from '../shapes.ts'

/** Describes a group of members. */
export const group = z
  .object({
    id: id('grp'),
    name: displayName,
    /** Says who chooses its members: admins, the groups claim of a sign-in, or a directory by SCIM. */
    source: z.enum(groupSources),
    memberCount: z.number().int(),
    createdAt: time,
    createdBy: author,
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    createdWith: credential.nullable(),
    /** Counts the changes of its name. `If-Match` of a change is compared with it. */
    revision: z.number().int(),
  })
  .meta({ id: 'Group' })

/** Describes somebody in a group, with who added them. */
export const groupMember = z
  .object({
    userId: id('usr'),
    name: personName,
    email: z.string(),
    /** Names who added them. `null`: a sign-in or a directory did. */
    addedBy: author.nullable(),
    /** Says what they were signed in with. `null`: an API key, or the service itself. */
    addedWith: credential.nullable(),
  })
  .meta({ id: 'GroupMember' })

export const groupEndpoints = declareEndpoints({ tag: 'People', topics: ['member'] })({
  createGroup: {
    method: 'POST',
    path: `${org}/groups`,
    summary: 'Create a group of members.',
    description:
      'A group allows nothing until it has a grant. With `source: oidc`, its members are those whose sign-in names the group in the groups claim; nobody adds them by hand.',
    access: admin,
    body: z.strictObject({
      name: givenDisplayName,
      source: z.enum(['manual', 'oidc']).default('manual'),
    }),
    response: { status: 201, body: group },
    problems: ['already_exists', 'quota_exceeded'],
  },
  listGroups: {
    method: 'GET',
    path: `${org}/groups`,
    summary: 'The groups of the organization.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(group) },
    problems: ['invalid_cursor'],
  },
  getGroup: {
    method: 'GET',
    path: `${org}/groups/{group_id}`,
    summary: 'One group.',
    access: viewer,
    response: { status: 200, body: group },
  },
  updateGroup: {
    method: 'PATCH',
    path: `${org}/groups/{group_id}`,
    summary: 'Rename a group.',
    access: admin,
    body: z.strictObject({ name: givenDisplayName }),
    response: { status: 200, body: group },
    problems: ['already_exists', 'conflict', 'revision_mismatch'],
  },
  deleteGroup: {
    method: 'DELETE',
    path: `${org}/groups/{group_id}`,
    summary: 'Delete a group with its grants. Its members stay members of the organization.',
    access: admin,
    response: { status: 204 },
    problems: ['conflict'],
  },
  listGroupMembers: {
    method: 'GET',
    path: `${org}/groups/{group_id}/members`,
    summary: 'The members of a group.',
    access: viewer,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(groupMember) },
    problems: ['invalid_cursor'],
  },
  addGroupMember: {
    method: 'PUT',
    path: `${org}/groups/{group_id}/members/{user_id}`,
    summary: 'Add a member to a group. Its grants count from the next request on.',
    access: admin,
    opens: 'door',
    response: { status: 200, body: groupMember },
    problems: ['conflict'],
  },
  removeGroupMember: {
    method: 'DELETE',
    path: `${org}/groups/{group_id}/members/{user_id}`,
    summary: 'Remove a member from a group. Its grants end with the answer, on every node.',
    access: admin,
    response: { status: 204 },
    problems: ['conflict'],
  },
})
