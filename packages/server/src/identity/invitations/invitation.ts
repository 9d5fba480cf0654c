import { idBodyPattern, Problem, type Role } from '@signalbox/contract'
import type { Maker } from '../../audit/audit-event.ts'
import { hashOpaqueToken, newOpaqueToken } from '../../crypto/opaque-tokens.ts'

/** Describes an invitation that can be accepted. */
export interface Invitation {
  readonly id: string
  /** In lower case. */
  readonly email: string
  readonly role: Role
  readonly invitedBy: Maker
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Limits how long an invitation can be accepted. */
export const invitationMs = 7 * 24 * 3600 * 1000

/** Describes the organization and the hash that a link's token names: requests see one organization alone, so the link says which. */
export interface InvitationKey {
  readonly orgId: string
  readonly tokenHash: Buffer
}

/** Returns a token for a link, and what is stored of it. Example: `01jd2m4x9k0000000000000000.3pXw…`. */
export function newInvitationToken(orgId: string): {
  readonly token: string
  readonly tokenHash: Buffer
} {
  const { token, hash } = newOpaqueToken()
  return { token: `${orgId.replace('org_', '')}.${token}`, tokenHash: hash }
}

const tokenPattern = new RegExp(`^(${idBodyPattern})\\.([A-Za-z0-9_-]{43})$`)

/** Reads a token, or returns `undefined` when it has not the form of one. */
export function readInvitationToken(text: string): InvitationKey | undefined {
  const [, org, secret] = tokenPattern.exec(text) ?? []
  const tokenHash = hashOpaqueToken(secret ?? '')
  return tokenHash === undefined ? undefined : { orgId: `org_${org ?? ''}`, tokenHash }
}

/** Masks an address for the bearer of a link: enough to recognise one's own. Example: `a…@example.com`. */
export function maskEmail(email: string): string {
  return email.replace(/^(.?).*(@[^@]*)$/u, '$1…$2')
}

/** Returns one problem for every end of an invitation: the link opens nothing, and need not say why. */
export function invitationEnded(): Problem {
  const detail =
    'The invitation was accepted, withdrawn or replaced, or its seven days are over. Ask for another one.'
  return new Problem('invitation_ended', detail)
}
