import { timingSafeEqual } from 'node:crypto'
import type { ReadToken } from '../../crypto/tokens.ts'
import type { UserActor } from '../../http/admission/actor.ts'
import type { Store } from '../../store/store.ts'
import type { TokenFailure } from '../verify-token.ts'
import { findPersonalTokenOwner } from './rows.ts'

/** Describes the person of a token, and the token. */
export type FoundToken =
  | { readonly outcome: 'valid'; readonly actor: UserActor }
  | { readonly outcome: TokenFailure }

const nothing = Buffer.alloc(32)

/** Finds the person of a token. Its checksum was right, so it costs one look-up. */
export async function findTokenActor(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: () => Date },
  { handle, hash }: ReadToken,
): Promise<FoundToken> {
  const owner = await store.transaction({ orgId: null }, (tx) => findPersonalTokenOwner(tx, handle))
  const equal = timingSafeEqual(hash, owner?.hash ?? nothing)
  if (owner === undefined || !equal) return { outcome: 'invalid' }
  if (owner.revokedAt !== null) return { outcome: 'revoked' }
  if (owner.expiresAt !== null && owner.expiresAt <= now()) return { outcome: 'expired' }
  const { id: credentialId, name: credentialName, userId, userName: name, email, manages } = owner
  const credential = { via: 'token', credentialId, credentialName, manages } as const
  return { outcome: 'valid', actor: { type: 'user', userId, name, email, ...credential } }
}
