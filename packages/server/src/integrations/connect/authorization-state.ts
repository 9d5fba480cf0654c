import { providerName } from '@signalbox/contract/rest'
import { z } from 'zod'
import { sign, verifySignature } from '../../crypto/sign.ts'

/** Describes what the `state` parameter carries through the provider and back (RFC 6749 §10.12). */
export interface AuthorizationState {
  readonly nonce: string
  readonly orgId: string
  readonly userId: string
  readonly provider: string
  /** SHA-256 of the cookie that the browser was given, base64url: it comes back in the same browser or not at all. */
  readonly cookieHash: string
  readonly issuedAt: Date
}

/** Describes what a state parameter was found to be. */
export type ReadState =
  | { readonly outcome: 'valid'; readonly state: AuthorizationState }
  | { readonly outcome: 'invalid' | 'expired' }

/** Holds how long a connection may take, in milliseconds. */
export const stateLifetimeMs = 10 * 60 * 1000
/** Allows for clocks: the node that finishes may be behind the one that began. */
const clockSkewMs = 60_000

const payload = z.strictObject({
  n: z.string(),
  o: z.string(),
  u: z.string(),
  p: providerName,
  c: z.string(),
  t: z.number().int(),
})

/** Renders a state parameter. Example: `v1.eyJuIjoi….mac`. It is signed, so that no other site can begin a connection. */
export function renderState(key: Buffer, state: AuthorizationState): string {
  const { nonce, orgId, userId, provider, cookieHash, issuedAt } = state
  const fields = {
    n: nonce,
    o: orgId,
    u: userId,
    p: provider,
    c: cookieHash,
    t: issuedAt.getTime(),
  }
  const text = `v1.${Buffer.from(JSON.stringify(fields)).toString('base64url')}`
  return `${text}.${sign(key, text)}`
}

/** Reads a state of ours. Whether it was used before is not in it. */
export function readState(key: Buffer, parameter: string, now: Date): ReadState {
  const dot = parameter.lastIndexOf('.')
  const text = parameter.slice(0, dot)
  if (dot < 3 || !text.startsWith('v1.') || !verifySignature(key, text, parameter.slice(dot + 1))) {
    return { outcome: 'invalid' }
  }
  const fields = payload.safeParse(
    JSON.parse(Buffer.from(text.slice(3), 'base64url').toString('utf8')),
  )
  if (!fields.success) return { outcome: 'invalid' }
  const { n, o, u, p, c, t } = fields.data
  const issuedAt = new Date(t)
  const age = now.getTime() - t
  if (age < -clockSkewMs || age >= stateLifetimeMs) return { outcome: 'expired' }
  const state = { nonce: n, orgId: o, userId: u, provider: p, cookieHash: c, issuedAt }
  return { outcome: 'valid', state }
}
