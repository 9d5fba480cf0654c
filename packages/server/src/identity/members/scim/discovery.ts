import { limits } from '@signalbox/contract'
import { groupSchema, userSchema } from './resources.ts'

/** Returns what this server supports (RFC 7643 §5). */
export function describeProvider(base: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: limits.scimPageItems },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token that an owner creates under Settings, Single sign-on.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

/** Returns the kinds of resources (RFC 7643 §6). */
export function listResourceTypes(base: string) {
  return [
    { name: 'User', endpoint: '/Users', description: 'A member', schema: userSchema },
    { name: 'Group', endpoint: '/Groups', description: 'A group of members', schema: groupSchema },
  ].map((type) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: type.name,
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.name}` },
  }))
}

type Kind = 'string' | 'boolean' | 'complex' | 'reference'

interface Attribute {
  readonly name: string
  readonly type?: Kind
  readonly required?: boolean
  readonly multiValued?: boolean
  readonly mutability?: 'readWrite' | 'readOnly' | 'immutable'
  readonly uniqueness?: 'none' | 'server'
  readonly caseExact?: boolean
  readonly subAttributes?: readonly Attribute[]
}

/** Adds what RFC 7643 §7 asks of an attribute. */
function complete({ subAttributes, ...attribute }: Attribute): object {
  return {
    type: 'string',
    multiValued: false,
    description: attribute.name,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...attribute,
    ...(subAttributes !== undefined && { subAttributes: subAttributes.map(complete) }),
  }
}

const readOnly = { mutability: 'readOnly' } as const

const user: readonly Attribute[] = [
  { name: 'userName', required: true, uniqueness: 'server' },
  { name: 'displayName' },
  {
    name: 'name',
    type: 'complex',
    subAttributes: [{ name: 'formatted' }, { name: 'givenName' }, { name: 'familyName' }],
  },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    subAttributes: [{ name: 'value' }, { name: 'type' }, { name: 'primary', type: 'boolean' }],
  },
  { name: 'active', type: 'boolean' },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [
      { name: 'value', ...readOnly },
      { name: 'display', ...readOnly },
    ],
  },
]

const group: readonly Attribute[] = [
  { name: 'displayName', required: true, uniqueness: 'server' },
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      { name: 'value', mutability: 'immutable', caseExact: true },
      { name: 'display', ...readOnly },
      { name: 'type', mutability: 'immutable' },
      { name: '$ref', type: 'reference', mutability: 'immutable', caseExact: true },
    ],
  },
]

/** Returns the schemas of users and groups (RFC 7643 §7). */
export function listSchemas(base: string) {
  return [
    { id: userSchema, name: 'User', description: 'A member', attributes: user.map(complete) },
    {
      id: groupSchema,
      name: 'Group',
      description: 'A group of members',
      attributes: group.map(complete),
    },
  ].map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))
}
