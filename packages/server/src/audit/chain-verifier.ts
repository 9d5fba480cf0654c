import type { Store } from '../store/store.ts'
import { verifyOwnChain, type VerifiedChain } from './verify-chain.ts'

export interface ChainVerifierDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

/** Describes the state of a chain when it was last verified. */
export interface CheckedChain extends VerifiedChain {
  readonly checkedAt: Date
}

/** Verifies the chain of an organization. Calls during a verification share its result. */
export function createChainVerifier({
  store,
  now,
}: ChainVerifierDeps): (orgId: string) => Promise<CheckedChain> {
  const underWay = new Map<string, Promise<CheckedChain>>()
  const verify = async (orgId: string) => {
    const checkedAt = now()
    return { ...(await verifyOwnChain({ store }, orgId)), checkedAt }
  }
  return (orgId) => {
    const verification =
      underWay.get(orgId) ?? verify(orgId).finally(() => void underWay.delete(orgId))
    underWay.set(orgId, verification)
    return verification
  }
}
