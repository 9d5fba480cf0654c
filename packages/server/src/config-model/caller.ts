import {
  may,
  Problem,
  wildcardId,
  type Permission,
  type Reach,
  type Verb,
} from '@signalbox/contract'
import type { RestrictedCaller } from '../audit/caller.ts'

export { wildcardId }

/** Describes the actor of a request about an organization's configuration, and what it may read and change. */
export interface Caller extends Omit<RestrictedCaller, 'organizationName'> {
  /** Every read shows secrets. True for server keys. */
  readonly readsSecrets: boolean
  /**
   * The caller is an assistant: it neither sets nor removes secrets, and applies nothing to production or a protected
   * environment.
   */
  readonly isAgent: boolean
  /** Says what the caller may do, and in which environments and schemas. */
  readonly permissions: readonly Permission[]
  /** Lists the schemas that the caller may know of. `null`: every schema. */
  readonly schemaIds: readonly string[] | null
}

/**
 * Refuses a caller who may not do `verb` in the environment or the schema. Callers call it before they say that something
 * does not exist, so the answer is the same whether or not the rest exists.
 *
 * @throws {Problem} `key_scope_forbidden` for an API key, `key_read_only` for one that reads there; `role_forbidden` for people
 * and assistants
 */
export function requireReach(caller: Caller, verb: Verb, reach: Reach): void {
  const { permissions } = caller
  if (may(permissions, verb, reach)) return
  if (caller.author.type !== 'api_key') throw outOfGrant(verb, reach)
  if (may(permissions, 'readValues', reach)) throw onlyReads(verb)
  const { environmentId, schemaId } = reach
  if (environmentId !== undefined && !may(permissions, 'readValues', { environmentId })) {
    throw outOfReach('environments', environmentId === wildcardId && schemaId !== undefined)
  }
  throw outOfReach('schemas')
}

/**
 * Refuses a change of values that an environment inherits in which the caller may not write. A key does not know of environments
 * that it is not made for, and reaches them through those that it is made for.
 *
 * @throws {Problem} as `requireReach`
 */
export function requireInheriting(caller: Caller, reach: Reach): void {
  if (caller.author.type === 'api_key' && !may(caller.permissions, 'readValues', reach)) return
  requireReach(caller, 'writeValues', reach)
}

/** Returns whether a person may see the secrets of an environment when they ask for it. Keys and assistants never ask. */
export function mayReveal({ permissions, author, isAgent }: Caller, reach: Reach): boolean {
  return author.type !== 'api_key' && !isAgent && may(permissions, 'readSecrets', reach)
}

/** Returns whether a key that is restricted to `allowed` may know of `id`. `null` restricts nothing. */
export function reaches(allowed: readonly string[] | null, id: string): boolean {
  return allowed === null || allowed.includes(id)
}

const acts: Readonly<Record<Verb, string>> = {
  readValues: 'read values',
  readSecrets: 'read secrets',
  writeValues: 'write values',
  writeSchemas: 'change schemas',
  manageEnvironments: 'change environments',
  deleteConfig: 'delete schemas and environments',
  manageAccess: 'manage access',
}

function outOfGrant(verb: Verb, { environmentId, schemaId }: Reach): Problem {
  const isAll = environmentId === wildcardId || schemaId === wildcardId
  const where = isAll ? ' in every environment and schema' : environmentId ? ' here' : ''
  const detail = `You may not ${acts[verb]}${where}. Ask an admin of the organization for a grant that allows it.`
  return new Problem('role_forbidden', detail)
}

function onlyReads(verb: Verb): Problem {
  const detail = `This server key may not ${acts[verb]} here. Let an admin give it a grant that allows it, or write access under API keys.`
  return new Problem('key_read_only', detail)
}

function outOfReach(what: string, changesSchema = false): Problem {
  const detail = changesSchema
    ? `This API key is restricted to certain ${what}, but a schema applies to all of them. Use a key without this restriction, or a personal access token.`
    : `This API key is restricted to certain ${what}. Use a key without this restriction, or a personal access token.`
  return new Problem('key_scope_forbidden', detail)
}
