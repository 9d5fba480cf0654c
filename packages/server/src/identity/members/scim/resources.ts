import { limits } from '@signalbox/contract'
import { givenDisplayName } from '@signalbox/contract/rest'
import { z } from 'zod'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const text = z.string().max(500)
/** Directories clear an attribute by null or by an empty text. */
const clearable = text
  .nullish()
  .transform((value) => (value === null || value === '' ? undefined : value))

/** Entra ID sends the texts "True" and "False". */
const switched = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  const word = value.toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : value
}, z.boolean())

const address = z.object({
  value: z.string().min(1).max(254),
  type: clearable,
  primary: switched.optional(),
})

/** Reads what a directory says of a person. Attributes that the server does not keep are left out. */
export const userInput = z.object({
  userName: z.string().trim().min(1).max(254),
  externalId: clearable,
  displayName: clearable,
  name: z
    .object({ formatted: clearable, givenName: clearable, familyName: clearable })
    .nullish()
    .transform((value) => value ?? undefined),
  emails: z
    .array(address)
    .max(limits.scimUserEmails)
    .nullish()
    .transform((value) => value ?? undefined),
  active: switched.default(true),
})
export type UserInput = z.output<typeof userInput>

/** Holds what is kept of a person beside the name and the id of the directory. */
export type UserAttributes = Pick<UserInput, 'displayName' | 'name' | 'emails'>

/** Reads what a directory says of a group. */
export const groupInput = z.object({
  displayName: givenDisplayName,
  externalId: clearable,
  members: z
    .array(z.object({ value: z.string().min(1).max(100) }))
    .nullish()
    .transform((value) => value?.map((each) => each.value) ?? []),
})

/** Describes a person in the eyes of a directory. */
export interface Person {
  readonly userId: string
  /** Says whether they are a member. */
  readonly isActive: boolean
  readonly userName: string
  readonly externalId: string | null
  /** `null`: the directory has said nothing yet. */
  readonly attributes: UserAttributes | null
  /** Holds the address and name of the account. */
  readonly email: string
  readonly name: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly groups: readonly { readonly value: string; readonly display: string }[]
}

/** Returns what a directory reads of a person. */
export function presentUser(person: Person, base: string) {
  const { userId: id, isActive, userName, externalId, attributes, email, name, groups } = person
  const { createdAt, updatedAt } = person
  const [givenName = name, ...others] = name.split(' ')
  const known = attributes ?? {
    displayName: name,
    name: { formatted: name, givenName, familyName: others.join(' ') || givenName },
    emails: undefined,
  }
  return {
    schemas: [userSchema],
    id,
    externalId: externalId ?? undefined,
    userName,
    name: known.name,
    displayName: known.displayName,
    emails: known.emails ?? [{ value: email, type: 'work', primary: true }],
    active: isActive,
    groups,
    meta: metaOf('User', `${base}/Users/${id}`, { createdAt, updatedAt }),
  }
}

/** Describes a group with the people whom the directory wants in it. */
export interface DirectoryGroup {
  readonly id: string
  readonly name: string
  readonly externalId: string | null
  readonly createdAt: Date
  readonly members: readonly { readonly value: string; readonly display: string }[]
}

/** Returns what a directory reads of a group. */
export function presentGroup(
  { id, name, externalId, createdAt, members }: DirectoryGroup,
  base: string,
) {
  return {
    schemas: [groupSchema],
    id,
    externalId: externalId ?? undefined,
    displayName: name,
    members: members.map((member) => ({
      ...member,
      type: 'User',
      $ref: `${base}/Users/${member.value}`,
    })),
    meta: metaOf('Group', `${base}/Groups/${id}`, { createdAt, updatedAt: undefined }),
  }
}

function metaOf(
  resourceType: string,
  location: string,
  { createdAt, updatedAt }: { readonly createdAt: Date; readonly updatedAt: Date | undefined },
) {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: updatedAt?.toISOString(),
    location,
  }
}

/** Names the attributes that a request asks for, or does not want. */
export interface ShownAttributes {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Lists the attributes that are always shown (RFC 7643 §7). */
const always: ReadonlySet<string> = new Set(['schemas', 'id'])

/** Returns the attributes of a resource that a request asks for (RFC 7644 §3.9). */
export function selectAttributes(
  resource: Readonly<Record<string, unknown>>,
  { attributes, excludedAttributes }: ShownAttributes,
): Record<string, unknown> {
  const [included, excluded] = [parseNames(attributes), parseNames(excludedAttributes)]
  const entries = Object.entries(resource).filter(([name]) => {
    if (always.has(name)) return true
    const lower = name.toLowerCase()
    return included === undefined ? excluded?.has(lower) !== true : included.has(lower)
  })
  return Object.fromEntries(entries)
}

function parseNames(names: string | undefined): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  return new Set(
    names.split(',').map((name) =>
      name
        .trim()
        .replace(/^urn:.*:/i, '')
        .split('.')[0]!
        .toLowerCase(),
    ),
  )
}
