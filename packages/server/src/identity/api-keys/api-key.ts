import { Problem, type ApiKeyKind, type KeyAccess, type ProblemLocation } from '@signalbox/contract'
import { canonicalNetwork } from '../../http/admission/allowed-networks.ts'
import {
  findServiceAccountViolations,
  type GivenServiceAccount,
  type ServiceAccount,
} from './service-accounts/service-account.ts'
import type { Maker } from '../../audit/audit-event.ts'

/** Describes an API key as people see it: never its secret. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly kind: ApiKeyKind
  readonly access: KeyAccess
  /** The public part of its newest secret. */
  readonly handle: string
  readonly environmentIds: readonly string[] | null
  readonly schemaIds: readonly string[] | null
  readonly allowedOrigins: readonly string[] | null
  /** Lists the networks that it may be used from, in canonical form; `null`: everywhere. */
  readonly allowedNetworks: readonly string[] | null
  /** Lists the service accounts whose tokens are exchanged for the key's; `null`: none. */
  readonly serviceAccounts: readonly ServiceAccount[] | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** Until when the secret from before the last rotation works; in the past or `null` when it does not. */
  readonly earlierSecretEndsAt: Date | null
  readonly lastUsedAt: Date | null
  /** Counts its changes: of its name, its restrictions and its end. */
  readonly revision: number
  readonly createdAt: Date
  readonly createdBy: Maker
}

/** Describes the restrictions of a key. `null` or left out: none. */
export interface KeyRestrictions {
  readonly access?: KeyAccess | undefined
  readonly environmentIds?: readonly string[] | null | undefined
  readonly schemaIds?: readonly string[] | null | undefined
  readonly allowedOrigins?: readonly string[] | null | undefined
  readonly allowedNetworks?: readonly string[] | null | undefined
  readonly serviceAccounts?: readonly GivenServiceAccount[] | null | undefined
  /** ISO 8601. */
  readonly expiresAt?: string | null | undefined
}

/** Returns what a key of this kind may do where nobody says it: by contract, a server key writes. */
export function defaultAccess(kind: ApiKeyKind): KeyAccess {
  return kind === 'm2m' ? 'write' : 'read'
}

/** Returns what a key may do. Older browser and relay keys are stored with the column's default. */
export function accessOf({ kind, access }: Pick<ApiKey, 'kind' | 'access'>): KeyAccess {
  return kind === 'm2m' ? access : 'read'
}

export type ApiKeyState = 'active' | 'expired' | 'revoked'

/** Returns the state of a key. Revoked wins, because it does not pass. */
export function apiKeyState(
  { expiresAt, revokedAt }: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  now: Date,
): ApiKeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

/** Returns the beginning of the token, to recognise it by. Example: `sbx_m2m_4fZk20aPq1`. */
export function tokenPrefix({ kind, handle }: { readonly kind: string; readonly handle: string }) {
  return `sbx_${kind}_${handle}`
}

/** Returns what keys of this kind cannot have, or cannot do without. */
function findKindViolations(
  kind: ApiKeyKind,
  {
    access,
    environmentIds,
    allowedOrigins,
  }: Pick<KeyRestrictions, 'access' | 'environmentIds' | 'allowedOrigins'>,
): ProblemLocation[] {
  const locations: ProblemLocation[] = []
  if (kind !== 'm2m' && access === 'write') {
    const detail = 'Only server keys (m2m) write. Leave it out.'
    locations.push({ pointer: '/access', code: 'validation_failed', detail })
  }
  if (kind === 'rly' && environmentIds === null) {
    const detail = 'A relay key names the environments that its relay serves.'
    locations.push({ pointer: '/environmentIds', code: 'validation_failed', detail })
  }
  if (kind !== 'b2m' && allowedOrigins !== undefined && allowedOrigins !== null) {
    const detail = 'Only browser keys (b2m) can have origins. Leave it out.'
    locations.push({ pointer: '/allowedOrigins', code: 'validation_failed', detail })
  }
  return locations
}

/**
 * Refuses restrictions that no key can have.
 *
 * @throws {Problem} `validation_failed`, with a place for each.
 */
export function requireRestrictions(
  kind: ApiKeyKind,
  {
    access,
    environmentIds,
    allowedOrigins,
    allowedNetworks,
    serviceAccounts,
    expiresAt,
  }: KeyRestrictions,
  now: Date,
): void {
  const locations = findKindViolations(kind, { access, environmentIds, allowedOrigins })
  locations.push(...findServiceAccountViolations(kind, serviceAccounts ?? []))
  for (const [index, origin] of (allowedOrigins ?? []).entries()) {
    if (findOrigin(origin) !== undefined) continue
    const detail = 'Use an origin, such as https://app.example.com.'
    locations.push({ pointer: `/allowedOrigins/${index}`, code: 'validation_failed', detail })
  }
  for (const [index, network] of (allowedNetworks ?? []).entries()) {
    if (canonicalNetwork(network) !== undefined) continue
    const detail = 'Use a network such as 203.0.113.0/24 or 2001:db8::/32, or one address.'
    locations.push({ pointer: `/allowedNetworks/${index}`, code: 'validation_failed', detail })
  }
  if (expiresAt !== undefined && expiresAt !== null && new Date(expiresAt) <= now) {
    const detail = 'This time is in the past. Use a later one, or revoke the key.'
    locations.push({ pointer: '/expiresAt', code: 'validation_failed', detail })
  }
  refuse(locations)
}

/** Normalizes an origin as browsers spell it: `https://App.Example.com:443` is `https://app.example.com`. */
export function findOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin, pathname, search, hash, username, password } = new URL(text)
  const isBare = pathname === '/' && search + hash + username + password === ''
  return isBare && origin !== 'null' ? origin : undefined
}

function refuse(locations: readonly ProblemLocation[]): void {
  const [first] = locations
  if (first === undefined) return
  throw new Problem('validation_failed', `${first.pointer}: ${first.detail}`, { errors: locations })
}
