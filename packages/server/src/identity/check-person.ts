import { Problem } from '@signalbox/contract'
import type { Store } from '../store/store.ts'
import type { Authenticate } from './authenticate.ts'
import { listMemberships } from './organizations/rows.ts'

/** A person as delivery needs to know them: which organizations they may read. */
export interface CheckedPerson {
  readonly credentialId: string
  mayReadOrganization(orgId: string): boolean
  /** Whether nothing was announced since that may have ended what they may do. Ask again then. */
  isCurrent(): boolean
}

/** Tells delivery who a person is: their token, their session's cookie, or the bootstrap token. */
export type CheckPerson = (credentials: {
  readonly token: string | undefined
  readonly cookie: string | undefined
}) => Promise<CheckedPerson>

/** More than anyone is a member of. */
const membershipsMax = 1_000

/**
 * Opens the check of people for the process that has both the API and the delivery role.
 *
 * @throws {Problem} as `authenticate` does, and `missing_credentials`.
 */
export function createCheckPerson({
  store,
  authenticate,
}: {
  readonly store: Pick<Store, 'transaction' | 'onAnnounce'>
  readonly authenticate: Authenticate
}): CheckPerson {
  let announced = 0
  store.onAnnounce('credentials', () => {
    announced += 1
  })
  return async ({ token, cookie }) => {
    // Counted before the look-up: what is announced during it may not have been seen.
    const seen = announced
    const isCurrent = () => announced === seen
    const authorization = token === undefined ? undefined : `Bearer ${token}`
    const actor = await authenticate({ authorization, cookie })
    if (actor === undefined) {
      throw new Problem(
        'missing_credentials',
        'Sign in, or send a token as "Authorization: Bearer …".',
      )
    }
    const { credentialId } = actor
    if (actor.type === 'bootstrap')
      return { credentialId, isCurrent, mayReadOrganization: () => true }
    if (actor.type === 'api_key') {
      return { credentialId, isCurrent, mayReadOrganization: (orgId) => orgId === actor.orgId }
    }
    const { userId } = actor
    const page = { afterId: undefined, limit: membershipsMax }
    const memberships = await store.transaction({ orgId: null, userId }, (tx) =>
      listMemberships(tx, userId, page),
    )
    const orgIds = new Set(memberships.map(({ id }) => id))
    return { credentialId, isCurrent, mayReadOrganization: (orgId) => orgIds.has(orgId) }
  }
}
