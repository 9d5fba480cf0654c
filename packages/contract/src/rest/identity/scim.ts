import { z } from 'zod/v4'
import { open, org } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'

/** Describes a resource of SCIM. The schemas of the server tell its attributes. */
const resource = z.looseObject({ schemas: z.array(z.string()) }).meta({ id: 'ScimResource' })

const list = resource
  .extend({
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  })
  .meta({ id: 'ScimList' })

const text = z.string().max(2_000).optional()
const shownAttributes = { attributes: text, excludedAttributes: text }
const selection = z.object(shownAttributes)
const searched = z.object({
  ...shownAttributes,
  filter: text,
  startIndex: z.coerce.number().int().optional(),
  count: z.coerce.number().int().optional(),
})

const contentType = 'application/scim+json'
const answers = (body: z.ZodType) => ({ status: 200, contentType, body }) as const
const created = { status: 201, contentType, body: resource } as const

const base = `${org}/scim/v2` as const
const user = `${base}/Users/{user_id}` as const
const group = `${base}/Groups/{group_id}` as const

const rejections =
  'Takes a SCIM token (`sbx_scm_`) as `Authorization: Bearer`. Errors have the form of RFC 7644 §3.12.'

const patched =
  'Adds, replaces and removes attributes, in the forms that Microsoft Entra ID and Okta send (RFC 7644 §3.5.2).'

/** Declares SCIM 2.0 (RFC 7643, RFC 7644): a directory manages the people and groups of the organization. */
export const scimEndpoints = declareEndpoints({
  tag: 'SCIM',
  access: open,
  rateClass: 'open',
  // Directories read it. What they write is announced by the tables.
  topics: [],
  description: rejections,
})({
  getScimConfig: {
    method: 'GET',
    path: `${base}/ServiceProviderConfig`,
    summary: 'What this server supports of SCIM.',
    response: answers(resource),
  },
  listScimSchemas: {
    method: 'GET',
    path: `${base}/Schemas`,
    summary: 'The attributes of users and groups.',
    response: answers(list),
  },
  getScimSchema: {
    method: 'GET',
    path: `${base}/Schemas/{schema}`,
    summary: 'The attributes of users or of groups.',
    response: answers(resource),
  },
  listScimResourceTypes: {
    method: 'GET',
    path: `${base}/ResourceTypes`,
    summary: 'The kinds of resources: users and groups.',
    response: answers(list),
  },
  getScimResourceType: {
    method: 'GET',
    path: `${base}/ResourceTypes/{resource_type}`,
    summary: 'One kind of resource.',
    response: answers(resource),
  },
  listScimUsers: {
    method: 'GET',
    path: `${base}/Users`,
    summary: 'The members of the organization, and who the directory deactivated.',
    description: `\`filter\` compares \`userName\`, \`externalId\`, \`id\` or \`emails.value\` by \`eq\`, joined by \`and\`. ${rejections}`,
    query: searched,
    response: answers(list),
  },
  createScimUser: {
    method: 'POST',
    path: `${base}/Users`,
    summary:
      'Add a person as a viewer. Their address must be of a domain that the organization has verified.',
    description: `Creates an account without a password: the person signs in with a provider. An account that somebody can sign in to already is not added, because its address was never verified: invite it. ${rejections}`,
    response: created,
  },
  getScimUser: {
    method: 'GET',
    path: user,
    summary: 'One person.',
    query: selection,
    response: answers(resource),
  },
  replaceScimUser: {
    method: 'PUT',
    path: user,
    summary: 'Replace what the directory says of a person. `active: false` ends the membership.',
    response: answers(resource),
  },
  patchScimUser: {
    method: 'PATCH',
    path: user,
    summary: 'Change what the directory says of a person. `active: false` ends the membership.',
    description: `${patched} ${rejections}`,
    response: answers(resource),
  },
  deleteScimUser: {
    method: 'DELETE',
    path: user,
    summary: 'End the membership of a person, and forget what the directory said of them.',
    response: { status: 204 },
  },
  listScimGroups: {
    method: 'GET',
    path: `${base}/Groups`,
    summary: 'The groups of the directory.',
    description: `\`filter\` compares \`displayName\`, \`externalId\`, \`id\` or \`members.value\` by \`eq\`, joined by \`and\`. ${rejections}`,
    query: searched,
    response: answers(list),
  },
  createScimGroup: {
    method: 'POST',
    path: `${base}/Groups`,
    summary: 'Create a group. It gives rights only by the grants that an admin makes for it.',
    response: created,
  },
  getScimGroup: {
    method: 'GET',
    path: group,
    summary: 'One group of the directory.',
    query: selection,
    response: answers(resource),
  },
  replaceScimGroup: {
    method: 'PUT',
    path: group,
    summary: 'Replace the name and the members of a group.',
    response: answers(resource),
  },
  patchScimGroup: {
    method: 'PATCH',
    path: group,
    summary: 'Change the name or the members of a group.',
    description: `${patched} ${rejections}`,
    response: answers(resource),
  },
  deleteScimGroup: {
    method: 'DELETE',
    path: group,
    summary: 'Delete a group of the directory, and the grants that it has.',
    response: { status: 204 },
  },
})
