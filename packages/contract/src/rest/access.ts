import type { Access } from './endpoint.ts'

/** Holds the beginning of every path within an organization. */
export const org = '/organizations/{org_id}' as const

/** Admits anyone. The endpoint checks the access itself. */
export const open = { kind: 'open' } as const satisfies Access
/** Admits a person, by session or personal access token. */
export const person = { kind: 'person' } as const satisfies Access
/** Admits the operators of this server. */
export const operator = { kind: 'operator' } as const satisfies Access

/** Admits members by session or token, and no API key: a joined view cannot respect the restrictions of a key. */
export const viewer = {
  kind: 'organization',
  role: 'viewer',
  keys: 'none',
} as const satisfies Access
/** Admits developers, and no API key. */
export const developer = {
  kind: 'organization',
  role: 'developer',
  keys: 'none',
} as const satisfies Access
/** Admits admins, and no API key. */
export const admin = { kind: 'organization', role: 'admin', keys: 'none' } as const satisfies Access
/** Admits owners, and no API key. */
export const owner = { kind: 'organization', role: 'owner', keys: 'none' } as const satisfies Access

/** Admits members and server keys. */
export const viewerOrKey = {
  kind: 'organization',
  role: 'viewer',
  keys: 'm2m',
} as const satisfies Access
/** Admits developers and server keys. */
export const developerOrKey = {
  kind: 'organization',
  role: 'developer',
  keys: 'm2m',
} as const satisfies Access
/** Admits those who write values somewhere, and server keys. */
export const valueWriter = { ...developerOrKey, verb: 'writeValues' } as const satisfies Access
/** Admits those who write schemas somewhere, and server keys. */
export const schemaWriter = { ...developerOrKey, verb: 'writeSchemas' } as const satisfies Access
/** Admits those who manage environments somewhere, and server keys. */
export const environmentManager = {
  ...developerOrKey,
  verb: 'manageEnvironments',
} as const satisfies Access
/** Admits admins and server keys. */
export const adminOrKey = {
  kind: 'organization',
  role: 'admin',
  keys: 'm2m',
} as const satisfies Access
/** Admits members, server keys and browser keys. */
export const viewerOrAnyKey = {
  kind: 'organization',
  role: 'viewer',
  keys: 'm2m+b2m',
} as const satisfies Access
/** Admits those who delete configuration somewhere, and server keys. */
export const configRemover = { ...adminOrKey, verb: 'deleteConfig' } as const satisfies Access
