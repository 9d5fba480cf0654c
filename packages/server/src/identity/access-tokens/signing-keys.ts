import { createAccessTokenIssuer, type AccessTokenIssuer } from '../../crypto/access-tokens.ts'
import type { RootKey } from '../../crypto/root-key.ts'
import type { Store } from '../../store/store.ts'
import type { PublishChange } from '../publish-change.ts'
import { recordSigningKey, retireOtherSigningKeys } from './rows.ts'

/** Describes the key pairs that access tokens are signed with: derived from root keys, stored nowhere but their public halves. */
export interface SigningKeys {
  /**
   * The issuer of the root key in force. Its public half is known to every node before its first token is.
   * Called once at the start, so that no node meets a token of a key it has not read yet.
   */
  getIssuer(): Promise<AccessTokenIssuer>
}

export interface SigningKeysDeps {
  readonly store: Pick<Store, 'maintenance'>
  /** The root key in force first. Asked each time. */
  readonly rootKeys: () => readonly RootKey[]
  readonly publish: PublishChange
}

/** Opens the signing keys. Derives one when it is first needed, and again after a rotation of the root key. */
export function createSigningKeys({ store, rootKeys, publish }: SigningKeysDeps): SigningKeys {
  let held: { readonly rootKeyId: string; readonly issuer: Promise<AccessTokenIssuer> } | undefined
  const prepare = async (rootKey: RootKey): Promise<AccessTokenIssuer> => {
    const issuer = await createAccessTokenIssuer(rootKey)
    const { publicJwk } = issuer
    await store.maintenance((tx) => recordSigningKey(tx, { id: publicJwk.kid ?? '', publicJwk }))
    await publish()
    return issuer
  }
  return {
    getIssuer() {
      const [rootKey] = rootKeys()
      if (rootKey === undefined) throw new Error('There is no root key to sign with')
      if (held?.rootKeyId === rootKey.id) return held.issuer
      const issuer = prepare(rootKey)
      held = { rootKeyId: rootKey.id, issuer }
      // A failure is not kept: the next caller tries again.
      issuer.catch(() => {
        held = undefined
      })
      return issuer
    },
  }
}

/** Retires the signing keys of former root keys, after a rotation ended with `rootKey`. */
export async function retireSigningKeys(
  { store, now }: { readonly store: Pick<Store, 'maintenance'>; readonly now: () => Date },
  rootKey: RootKey,
): Promise<void> {
  const { publicJwk } = await createAccessTokenIssuer(rootKey)
  await store.maintenance(async (tx) => {
    await recordSigningKey(tx, { id: publicJwk.kid ?? '', publicJwk })
    await retireOtherSigningKeys(tx, publicJwk.kid ?? '', now())
  })
}
