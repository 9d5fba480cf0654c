import { Problem } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Published } from './published.ts'

/** Whoever reads, and what of it. */
export type Reader = KeyReader | PersonReader

/** An API key, or a short-lived token made from one. */
export interface KeyReader {
  readonly type: 'apiKey'
  readonly kind: 'b2m' | 'm2m'
  readonly orgId: string
  readonly keyId: string
  /** `null`: every environment of the organization. */
  readonly environmentIds: ReadonlySet<string> | null
  readonly schemaIds: ReadonlySet<string> | null
  /** `null`: any origin. A filter against nuisance, not a defence: only browsers send the truth. */
  readonly allowedOrigins: ReadonlySet<string> | null
  /** Whether the credential still holds: neither expired, nor revoked, nor restricted in another way since. */
  isValid(): boolean
  /** Costs a store in memory, so that every request calls it. In milliseconds since 1970. */
  noteUse(atMs: number): void
}

/** A person, known to the API role. Sees what everyone may see; secrets are revealed elsewhere, with an audit event. */
export interface PersonReader {
  readonly type: 'person'
  /** Names the credential, for limits. */
  readonly credentialId: string
  mayReadOrganization(orgId: string): boolean
  isValid(): boolean
}

export function mayReadOrganization(reader: Reader, orgId: string): boolean {
  return reader.type === 'person' ? reader.mayReadOrganization(orgId) : reader.orgId === orgId
}

/** Whether the reader's restrictions leave it the environment and the schema of `item`. */
export function isInScope(reader: Reader, item: Published): boolean {
  if (reader.type === 'person') return true
  const { environmentIds, schemaIds } = reader
  return (
    (environmentIds === null || environmentIds.has(item.environmentId)) &&
    (schemaIds === null || schemaIds.has(item.schemaId))
  )
}

/**
 * Checks that `reader` may read `item`.
 *
 * @throws {Problem} `not_found` when there is none or it is foreign, `key_scope_forbidden` when the key is restricted.
 */
export function getReadable<Item extends Published>(reader: Reader, item: Item | undefined): Item {
  if (item === undefined || !mayReadOrganization(reader, item.orgId)) throw notFound()
  if (!isInScope(reader, item)) throw scopeForbidden()
  return item
}

export function scopeForbidden(): Problem {
  return new Problem(
    'key_scope_forbidden',
    'The API key is restricted to other environments or schemas. Use a key that includes this one.',
  )
}
