import type { AuthorColumn } from '../store/database.ts'

/** Who did it, as it is kept: a key or a person that is deleted later keeps its name here. */
export type Author = AuthorColumn

/** What happened, as `<noun>.<past tense>`. A name is never changed: filters and exports rely on it. */
export const auditActions = [
  'auth.login',
  'auth.login_failed',
  'auth.logout',
  'token.created',
  'token.revoked',
  'org.created',
  'org.updated',
  'org.deleted',
  'org.destroyed',
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'environment.created',
  'environment.updated',
  'environment.deleted',
  'schema.created',
  'schema.changed',
  'schema.deleted',
  'value.set',
  'value.deleted',
  'value.rolled_back',
  'value.promoted',
  'secret.revealed',
  'secret.read_by_key',
  'root_key.rotation_started',
  'root_key.rotation_finished',
  'dek.rotated',
  'backup.created',
  'backup.restored',
  'audit.chain_verified',
] as const

export type AuditAction = (typeof auditActions)[number]

/** What it was done to. Example: `{ type: 'api_key', id: 'key_…', name: 'checkout' }`. */
export interface AuditTarget {
  readonly type: string
  readonly id: string | null
  readonly name: string | null
}

/** Where the request came from; absent for what the service does by itself. */
export interface AuditRequest {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | undefined
}

export interface AuditEvent {
  /** The organization whose chain the event joins, or `serverChain`. */
  readonly orgId: string
  readonly actor: Author
  readonly action: AuditAction
  readonly target: AuditTarget
  /** Names of fields and version numbers. Never a value, and no hash of one: secrets may be short. */
  readonly detail?: Readonly<Record<string, unknown>>
  readonly request?: AuditRequest
}

/** The chain of what belongs to no organization: sign-in, set-up, keys of the server. */
export const serverChain = 'server'

/** The service itself, when nobody asked. */
export const systemAuthor: Author = { type: 'system', id: null, name: 'Signalbox' }

const userAgentLength = 256

/** Control characters would break the lines that an event's hash covers. */
const controlCharacters = /[\p{Cc}\u2028\u2029]/gu

/** A user agent as it is kept: one line, at most 256 characters. */
export function toKeptUserAgent(userAgent: string | undefined): string | null {
  return userAgent?.replaceAll(controlCharacters, ' ').slice(0, userAgentLength) ?? null
}

/**
 * The address as it is kept: IPv4 whole, IPv6 as its /64, which is what one household has.
 * Example: `2001:db8:1:2:3:4:5:6` becomes `2001:db8:1:2::/64`.
 */
export function toKeptAddress(ip: string): string {
  const plain = ip.replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  return mapped ?? `${networkOf(plain)}::/64`
}

/** The first four groups of an IPv6 address, without leading zeros. */
function networkOf(address: string): string {
  const [front = '', back] = address.toLowerCase().split('::')
  const groups = front === '' ? [] : front.split(':')
  const tail = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? 0 : Math.max(0, 8 - groups.length - tail.length)
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...tail]
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
