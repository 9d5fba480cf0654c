import { newOpaqueToken } from '../../crypto/opaque-tokens.ts'
import type { Store } from '../../store/store.ts'
import { hasUsers } from '../user-rows.ts'
import { findSetup, replaceSetupToken } from './rows.ts'

/**
 * Creates the one-time link that sets the server up, or returns `undefined` when a person can sign in already. Each
 * call makes the link before it void; only a hash is stored.
 *
 * The token is in the fragment, which browsers do not send, so it reaches no log of this server or of a proxy.
 */
export async function prepareSetup(
  { store }: { readonly store: Pick<Store, 'transaction'> },
  publicUrl: string,
): Promise<string | undefined> {
  const { token, hash } = newOpaqueToken()
  const open = await store.transaction({ orgId: null }, async (tx) => {
    if (await isSetUp(tx)) return false
    await replaceSetupToken(tx, hash)
    return true
  })
  return open ? `${publicUrl}/setup#token=${token}` : undefined
}

/** Returns whether the set-up is over. */
async function isSetUp(tx: Parameters<typeof hasUsers>[0]): Promise<boolean> {
  const setup = await findSetup(tx)
  return (setup !== undefined && setup.completedAt !== null) || (await hasUsers(tx))
}
