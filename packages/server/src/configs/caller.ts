import { Problem } from '@signalbox/contract'
import type { AuditRequest, Author } from '../audit/audit-event.ts'
import type { Scope } from '../store/scope.ts'

/** Who asks for something of an organization's configuration, and how far he reaches. */
export interface Caller {
  readonly orgId: string
  readonly scope: Scope
  readonly author: Author
  readonly request: AuditRequest
  /** Whether secrets are shown without being asked for: to server keys. */
  readonly readsSecrets: boolean
  /** Whether secrets are shown when asked for, with a note in the audit log: to people from developer upwards. */
  readonly mayReveal: boolean
  /** Whether he says how environments are protected: admins and owners, and no API key. */
  readonly mayProtect: boolean
  /** `null`: every environment. */
  readonly environmentIds: readonly string[] | null
  /** `null`: every schema. */
  readonly schemaIds: readonly string[] | null
}

/** What a request is about; `everyone` is what all environments or schemas share. */
export interface Reach {
  readonly environmentId?: string
  readonly schemaId?: string
}

/** In place of an id: no restricted key reaches what changes all environments or schemas. */
export const wildcardId = '*'

/**
 * Refuses an API key what it is not made for. Asked before anything is looked up, so that the answer is the same
 * whether or not the rest exists.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export function requireReach(caller: Caller, { environmentId, schemaId }: Reach): void {
  if (environmentId !== undefined && !reaches(caller.environmentIds, environmentId)) {
    throw outOfReach('environments')
  }
  if (schemaId !== undefined && !reaches(caller.schemaIds, schemaId)) throw outOfReach('schemas')
}

/** Whether a key that is restricted to `allowed` may know of `id`. */
export function reaches(allowed: readonly string[] | null, id: string): boolean {
  return allowed === null || allowed.includes(id)
}

function outOfReach(what: string): Problem {
  const detail = `This API key is restricted to certain ${what}. Use one without the restriction, or a personal access token.`
  return new Problem('key_scope_forbidden', detail)
}
