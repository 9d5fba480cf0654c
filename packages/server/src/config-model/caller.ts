import { Problem } from '@signalbox/contract'
import type { RestrictedCaller } from '../audit/caller.ts'

/** Describes the actor of a request about an organization's configuration, and what it may read and change. */
export interface Caller extends Omit<RestrictedCaller, 'organizationName'> {
  /** Every read shows secrets. True for server keys. */
  readonly readsSecrets: boolean
  /**
   * Secrets are shown on request, with an audit event. True for people from developer upwards and the bootstrap token.
   */
  readonly mayReveal: boolean
  /**
   * The protection of environments may be changed. True for admins, owners and the bootstrap token, never for an API
   * key.
   */
  readonly mayProtect: boolean
  /**
   * The caller is an assistant: it neither sets nor removes secrets, and applies nothing to production or a protected
   * environment.
   */
  readonly isAgent: boolean
  /** `null`: every schema. */
  readonly schemaIds: readonly string[] | null
}

/** Names the environment and the schema that a request is about, by id. `wildcardId` stands for all of them. */
interface Reach {
  readonly environmentId?: string
  readonly schemaId?: string
}

/**
 * Stands for every environment or every schema in a `Reach`. A restricted key is refused: its list of ids cannot hold
 * this one.
 */
export const wildcardId = '*'

/**
 * Refuses an API key that is not made for the environment or the schema. Callers call it before they say that something
 * does not exist, so the answer is the same whether or not the rest exists.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function requireReach(caller: Caller, { environmentId, schemaId }: Reach): void {
  if (environmentId !== undefined && !reaches(caller.environmentIds, environmentId)) {
    throw outOfReach('environments', environmentId === wildcardId && schemaId !== undefined)
  }
  if (schemaId !== undefined && !reaches(caller.schemaIds, schemaId)) throw outOfReach('schemas')
}

/** Returns whether a key that is restricted to `allowed` may know of `id`. `null` restricts nothing. */
export function reaches(allowed: readonly string[] | null, id: string): boolean {
  return allowed === null || allowed.includes(id)
}

function outOfReach(what: string, changesSchema = false): Problem {
  const detail = changesSchema
    ? `This API key is restricted to certain ${what}, but a schema applies to all of them. Use a key without this restriction, or a personal access token.`
    : `This API key is restricted to certain ${what}. Use a key without this restriction, or a personal access token.`
  return new Problem('key_scope_forbidden', detail)
}
