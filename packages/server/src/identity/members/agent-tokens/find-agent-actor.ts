import { timingSafeEqual } from 'node:crypto'
import type { ReadToken } from '../../../crypto/tokens.ts'
import type { AgentActor } from '../../../http/admission/actor.ts'
import type { Store } from '../../../store/store.ts'
import type { TokenFailure } from '../../verify-token.ts'
import { findAgentTokenOwner } from './rows.ts'

/** Describes the assistant of a token. */
export type FoundAgent =
  | { readonly outcome: 'valid'; readonly actor: AgentActor }
  | { readonly outcome: TokenFailure }

/** Names an assistant that has not said its name. */
export const unnamedClient = 'an assistant'

const nothing = Buffer.alloc(32)

/** Finds the assistant of a token. Its checksum was right, so it costs one look-up. */
export async function findAgentActor(
  { store, now }: { readonly store: Pick<Store, 'maintenance'>; readonly now: () => Date },
  { handle, hash: presentedHash }: ReadToken,
): Promise<FoundAgent> {
  const owner = await store.maintenance((tx) =>
    findAgentTokenOwner(tx, { handle, hash: presentedHash }),
  )
  const equal = timingSafeEqual(presentedHash, owner?.hash ?? nothing)
  if (owner === undefined || !equal) return { outcome: 'invalid' }
  if (owner.endedAt !== null) return { outcome: 'revoked' }
  if (owner.expiresAt <= now()) return { outcome: 'expired' }
  const { id: credentialId, orgId, userId, userName: name, scope, clientId } = owner
  const clientHost = clientId === null ? undefined : new URL(clientId).host
  return {
    outcome: 'valid',
    actor: {
      type: 'agent',
      orgId,
      userId,
      name,
      scope,
      client: clientHost ?? unnamedClient,
      ...(clientHost !== undefined && { clientHost }),
      credentialId,
    },
  }
}
