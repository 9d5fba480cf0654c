import { useState } from 'react'
import { findUnselected, readReach, type Reach } from './key-form.ts'
import { readServiceAccounts, type ServiceAccount } from './service-account-form.ts'

/** Describes what a form says about the access of a key. */
export interface KeyAccess {
  readonly reach: Reach
  readonly accounts: ServiceAccount[]
}

/** Reads the access of a key from a form, and holds what of it is incomplete. */
export function useKeyAccess() {
  const [unselected, setUnselected] = useState<readonly string[]>([])
  const [unreadable, setUnreadable] = useState<readonly number[]>([])
  return {
    /** Lists the restrictions that were sent without a selection. */
    unselected,
    /** Lists the service accounts whose pasted keys are no JWK set. */
    unreadable,
    /** Returns the access, or `undefined` where something is incomplete. */
    read: (form: HTMLFormElement, kind: 'b2m' | 'm2m' | 'rly'): KeyAccess | undefined => {
      const reach = readReach(new FormData(form), kind)
      const missing = findUnselected(reach)
      const { accounts, unreadable: wrong } = readServiceAccounts(new FormData(form))
      setUnselected(missing)
      setUnreadable(wrong)
      return missing.length > 0 || wrong.length > 0 ? undefined : { reach, accounts }
    },
  }
}
