import { roles, type Role } from './roles.ts'

/**
 * Lists what a grant can give beside the role that a member has everywhere. `editor`: writes values, and does not read secrets.
 * `reader`: reads secrets, and writes nothing.
 */
export const grantRoles = ['admin', 'developer', 'editor', 'reader'] as const
export type GrantRole = (typeof grantRoles)[number]

/** Lists who chooses the members of a group: admins, the groups claim of a sign-in, or a directory by SCIM. */
export const groupSources = ['manual', 'oidc', 'scim'] as const
export type GroupSource = (typeof groupSources)[number]

/** Lists the acts that are allowed apart from each other. */
export const verbs = [
  'readValues',
  'readSecrets',
  'writeValues',
  'writeSchemas',
  'manageEnvironments',
  'deleteConfig',
  'manageAccess',
] as const
export type Verb = (typeof verbs)[number]

const developerVerbs = [
  'readValues',
  'readSecrets',
  'writeValues',
  'writeSchemas',
  'manageEnvironments',
] as const

/** Maps each role to its verbs. Owners differ from admins in what they may do with owners. */
const verbsOf: Readonly<Record<Role | GrantRole, readonly Verb[]>> = {
  owner: verbs,
  admin: verbs,
  developer: developerVerbs,
  editor: ['readValues', 'writeValues'],
  reader: ['readValues', 'readSecrets'],
  viewer: ['readValues'],
}

/** Returns the verbs of a role. */
export function listVerbs(role: Role | GrantRole): readonly Verb[] {
  return verbsOf[role]
}

/** Describes a role in some environments and schemas. `null`: in every one. */
export interface Grant {
  readonly role: GrantRole
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
}

/**
 * Returns the role that somebody has everywhere: their own, or a higher one that a grant gives in every environment and schema.
 */
export function roleEverywhere(role: Role, grants: readonly Grant[]): Role {
  const everywhere = grants.filter(
    ({ environmentIds, schemaIds }) => environmentIds === null && schemaIds === null,
  )
  const grantedRoles = new Set<string>([role, ...everywhere.map((grant) => grant.role)])
  return roles.find((known) => grantedRoles.has(known)) ?? role
}

/** Describes verbs with the environments and schemas that they are allowed in. `null`: every one. */
export interface Permission {
  readonly verbs: readonly Verb[]
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
}

/**
 * Names the environment and the schema that an act is about, by id. One that is left out is not asked for. `wildcardId` stands
 * for all of them.
 */
export interface Reach {
  readonly environmentId?: string | undefined
  readonly schemaId?: string | undefined
}

/** Stands for every environment or every schema in a `Reach`. No list of ids can hold it. */
export const wildcardId = '*'

/**
 * Returns the first permission that allows an act, `undefined` when none does. Each stands alone: one for an environment and
 * another for a schema do not allow what is about both.
 */
export function findPermission<P extends Permission>(
  permissions: readonly P[],
  verb: Verb,
  { environmentId, schemaId }: Reach,
): P | undefined {
  return permissions.find(
    (each) =>
      each.verbs.includes(verb) &&
      covers(each.environmentIds, environmentId) &&
      covers(each.schemaIds, schemaId),
  )
}

/** Returns whether an act is allowed. */
export function may(permissions: readonly Permission[], verb: Verb, reach: Reach): boolean {
  return findPermission(permissions, verb, reach) !== undefined
}

function covers(ids: readonly string[] | null, id: string | undefined): boolean {
  return ids === null || id === undefined || ids.includes(id)
}
