import type { ApiKeyKind, KeyAccess } from '@signalbox/contract'
import type { ApiKeyRows, SavedKey, SavedOrganization, SavedSecret } from './saved-api-keys.ts'

/** Describes an API key as it is checked: one of its secrets, and what the key may. */
export interface CachedApiKey {
  readonly orgId: string
  readonly keyId: string
  readonly name: string
  readonly kind: ApiKeyKind
  readonly access: KeyAccess
  /** The public part of the secret. */
  readonly handle: string
  /** SHA-256 of the whole secret. */
  readonly hash: Buffer
  /** `null`: every environment. An empty list: none. */
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
  readonly allowedOrigins: readonly string[] | null
  /** Lists the networks that the key may be used from, in canonical form; `null`: everywhere. */
  readonly allowedNetworks: readonly string[] | null
  /** When the key or this secret of it ends, whichever is first. */
  readonly expiresAt: Date | null
  /** When the key was revoked or its organization deleted. */
  readonly revokedAt: Date | null
}

/** Describes an organization that is not deleted. */
export interface CachedOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
}

/** Describes a public key that access tokens are verified with, as a JWK with `kid`. */
export type SigningKey = Readonly<Record<string, unknown>>

/**
 * Holds what a node needs to check credentials without the database: API keys, the organizations' names, the public keys of
 * access tokens. Holds no secret: of a token only the hash.
 */
export interface ApiKeyCache {
  /** Returns the key that a token with this handle claims to be. The caller compares the hashes. */
  findKey(handle: string): CachedApiKey | undefined
  findOrganization(idOrSlug: string): CachedOrganization | undefined
  /** Returns the organization of the key with this id; `undefined` where this node knows no such key. */
  findOwner(keyId: string): string | undefined
  /** Returns the key with this id, whether or not it is still valid. */
  findById(keyId: string): SavedKey | undefined
  /** Returns the keys in use, and retired ones while their last tokens may still be valid. */
  signingKeys(): readonly SigningKey[]
  /** Adds or replaces rows. The order of several calls does not matter for rows that did not change in between. */
  apply(rows: ApiKeyRows): void
  /** Replaces everything by these rows. */
  replace(rows: ApiKeyRows): void
  /** Returns all rows as plain data for a file, from which `createApiKeyCache` continues. */
  save(): ApiKeyRows
}

interface Held {
  readonly organizations: Map<string, SavedOrganization>
  readonly idsBySlug: Map<string, string>
  readonly keys: Map<string, SavedKey>
  readonly secrets: Map<string, SavedSecret>
  readonly signingKeys: Map<string, SigningKey>
  /** Holds keys composed from the other maps with their first use, because most are never used. */
  readonly composed: Map<string, CachedApiKey>
}

const emptyRows: ApiKeyRows = { organizations: [], keys: [], secrets: [], signingKeys: [] }

/** Creates a cache of API keys, empty or with the rows that another one saved. */
export function createApiKeyCache(saved: ApiKeyRows = emptyRows): ApiKeyCache {
  let held = hold(saved)
  return {
    findKey(handle) {
      const known = held.composed.get(handle)
      if (known !== undefined) return known
      const key = compose(held, handle)
      if (key !== undefined) held.composed.set(handle, key)
      return key
    },
    findOrganization(idOrSlug) {
      const id = held.idsBySlug.get(idOrSlug) ?? idOrSlug
      const organization = held.organizations.get(id)
      if (organization === undefined || organization.deletedAt !== null) return undefined
      return { id, slug: organization.slug, name: organization.name }
    },
    findOwner: (keyId) => held.keys.get(keyId)?.orgId,
    findById: (keyId) => held.keys.get(keyId),
    signingKeys: () => [...held.signingKeys.values()],
    apply: (rows) => put(held, rows),
    replace(rows) {
      held = hold(rows)
    },
    save: () => ({
      organizations: [...held.organizations.values()],
      keys: [...held.keys.values()],
      secrets: [...held.secrets.values()],
      signingKeys: [...held.signingKeys].map(([id, publicJwk]) => ({
        id,
        publicJwk,
        retired: false,
      })),
    }),
  }
}

function hold(rows: ApiKeyRows): Held {
  const held: Held = {
    organizations: new Map(),
    idsBySlug: new Map(),
    keys: new Map(),
    secrets: new Map(),
    signingKeys: new Map(),
    composed: new Map(),
  }
  put(held, rows)
  return held
}

function put(held: Held, { organizations, keys, secrets, signingKeys }: ApiKeyRows): void {
  if (organizations.length + keys.length + secrets.length > 0) held.composed.clear()
  for (const organization of organizations) putOrganization(held, organization)
  for (const key of keys) held.keys.set(key.id, key)
  for (const secret of secrets) held.secrets.set(secret.handle, secret)
  for (const { id, publicJwk, retired } of signingKeys) {
    if (retired) held.signingKeys.delete(id)
    else held.signingKeys.set(id, publicJwk)
  }
}

/** A slug is free again once its organization was renamed or deleted, and another may have it by then. */
function putOrganization(
  { organizations, idsBySlug }: Held,
  organization: SavedOrganization,
): void {
  const { id, slug, deletedAt } = organization
  const before = organizations.get(id)
  if (before !== undefined && idsBySlug.get(before.slug) === id) idsBySlug.delete(before.slug)
  if (deletedAt === null) idsBySlug.set(slug, id)
  organizations.set(id, organization)
}

function compose({ organizations, keys, secrets }: Held, handle: string): CachedApiKey | undefined {
  const secret = secrets.get(handle)
  const key = keys.get(secret?.keyId ?? '')
  if (secret === undefined || key === undefined || key.orgId !== secret.orgId) return undefined
  const { orgId, id: keyId, name, kind, access, environmentIds, schemaIds } = key
  const organization = organizations.get(orgId)
  if (organization === undefined) return undefined
  return {
    orgId,
    keyId,
    name,
    kind,
    access,
    handle,
    environmentIds,
    schemaIds,
    allowedOrigins: key.allowedOrigins,
    allowedNetworks: key.allowedNetworks,
    hash: Buffer.from(secret.hash, 'base64'),
    expiresAt: earliest(key.expiresAt, secret.expiresAt),
    revokedAt: earliest(key.revokedAt, organization.deletedAt),
  }
}

function earliest(...moments: readonly (string | null)[]): Date | null {
  const times = moments.filter((moment) => moment !== null).map((moment) => Date.parse(moment))
  return times.length === 0 ? null : new Date(Math.min(...times))
}
