import { Problem, type ApiKeyKind } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Published } from './published.ts'

/** Describes the caller of a read, and what the caller may see. */
export type Reader = KeyReader | PersonReader

/** Describes the bearer of an API key, or of a short-lived token made from one. */
export interface KeyReader {
  readonly type: 'apiKey'
  readonly kind: ApiKeyKind
  readonly orgId: string
  readonly keyId: string
  /** Lists the environments that the key is restricted to; `null`: every one of the organization. */
  readonly environmentIds: ReadonlySet<string> | null
  readonly schemaIds: ReadonlySet<string> | null
  /**
   * Lists the origins whose pages may use the key; `null`: any. It deters nuisance and is no defence: only browsers
   * send the true origin.
   */
  readonly allowedOrigins: ReadonlySet<string> | null
  /** Lists the networks that the key may be used from; `null`: everywhere. */
  readonly allowedNetworks: readonly string[] | null
  /** Returns whether the credential is still valid: neither expired, nor revoked, nor restricted otherwise since. */
  isValid(): boolean
  /** Notes a use at `atMs`, in milliseconds since 1970. It is one assignment, cheap enough for every request. */
  noteUse(atMs: number): void
  /** Counts an answer with secrets. */
  noteSecretRead(): void
}

/**
 * Describes a signed-in person, whom the API role knows. Sees no secrets: those are revealed elsewhere, with an audit
 * event.
 */
export interface PersonReader {
  readonly type: 'person'
  /** Identifies the credential for rate limits. */
  readonly credentialId: string
  mayReadOrganization(orgId: string): boolean
  isValid(): boolean
}

/** Returns whether `reader` is a member of the organization, or a key of it. */
export function mayReadOrganization(reader: Reader, orgId: string): boolean {
  return reader.type === 'person' ? reader.mayReadOrganization(orgId) : reader.orgId === orgId
}

/** Names a snapshot. */
type Addressed = Pick<Published, 'orgId' | 'schemaId' | 'environmentId'>

/** Returns whether the restrictions of `reader` include the environment and the schema of `item`. */
export function isInScope(reader: Reader, item: Addressed): boolean {
  if (reader.type === 'person') return true
  const { environmentIds, schemaIds } = reader
  return (
    (environmentIds === null || environmentIds.has(item.environmentId)) &&
    (schemaIds === null || schemaIds.has(item.schemaId))
  )
}

/**
 * Returns `item` if `reader` may read it.
 *
 * @throws {Problem} `not_found` when there is none or it is foreign, `key_scope_forbidden` when the key is restricted.
 */
export function getReadable<Item extends Addressed>(reader: Reader, item: Item | undefined): Item {
  if (item === undefined || !mayReadOrganization(reader, item.orgId)) throw notFound()
  if (!isInScope(reader, item)) throw scopeForbidden()
  return item
}

/** Returns the problem of a key that is restricted to other environments or schemas. */
export function scopeForbidden(): Problem {
  return new Problem(
    'key_scope_forbidden',
    'The API key is restricted to other environments or schemas. Use a key that includes this one.',
  )
}
