import { Problem, type Role } from '@signalbox/contract'
import { agentRefused } from '../http/admission/access.ts'
import type { Actor } from '../http/admission/actor.ts'
import type { Store } from '../store/store.ts'
import type { Authenticate } from './authenticate.ts'
import { createFollower, type KnownReading } from './follow-readers.ts'
import { listMemberships } from './organizations/rows.ts'
import { findRejection, toCredential } from './organizations/policies/apply-policies.ts'

/** Describes a person as delivery needs to know them: which organizations they may read. */
export interface CheckedPerson {
  readonly credentialId: string
  mayReadOrganization(orgId: string): boolean
  /** Returns immediately whether the person may still read the same. It reads an announced change in the background, for the next call. */
  isCurrent(): boolean
}

/** Checks for the delivery who a person is: by their token, their session's cookie, or the bootstrap token. */
export type CheckPerson = (credentials: {
  readonly token: string | undefined
  readonly cookie: string | undefined
}) => Promise<CheckedPerson>

export interface CheckPersonDeps {
  readonly store: Pick<Store, 'transaction' | 'onAnnounce'>
  readonly authenticate: Authenticate
  readonly now: () => Date
}

/** More than anyone is a member of. */
const membershipsMax = 1_000

/**
 * Opens the check of people for the process that has both the API and the delivery role.
 *
 * @throws {Problem} as `authenticate` does, and `missing_credentials`.
 */
export function createCheckPerson({ store, authenticate, now }: CheckPersonDeps): CheckPerson {
  const follow = createFollower({ store, now })
  return async ({ token, cookie }) => {
    // Before the look-up: what is announced during it may not have been seen.
    const following = follow()
    const authorization = token === undefined ? undefined : `Bearer ${token}`
    const actor = await authenticate({ authorization, cookie })
    if (actor === undefined) {
      throw new Problem(
        'missing_credentials',
        'Sign in, or send a token as "Authorization: Bearer …".',
      )
    }
    const roleIn = await findReach({ store }, actor)
    const { credentialId } = actor
    const userId = actor.type === 'user' ? actor.userId : null
    const read = new Map<string, KnownReading>()
    return {
      credentialId,
      mayReadOrganization(orgId) {
        const role = roleIn(orgId)
        if (role === undefined) return false
        read.set(orgId, { orgId, credentialId, userId, role })
        return true
      },
      isCurrent: () => following.isCurrent([...read.values()]),
    }
  }
}

/** Returns the role in which a person may read an organization now; `undefined` when they may not. */
async function findReach(
  { store }: Pick<CheckPersonDeps, 'store'>,
  actor: Actor,
): Promise<(orgId: string) => Role | undefined> {
  if (actor.type === 'agent') throw agentRefused()
  if (actor.type === 'bootstrap') return () => 'owner'
  if (actor.type === 'api_key') {
    return (orgId) => (orgId === actor.orgId ? 'viewer' : undefined)
  }
  const { userId } = actor
  const page = { afterId: undefined, limit: membershipsMax }
  const memberships = await store.transaction({ orgId: null, userId }, (tx) =>
    listMemberships(tx, userId, page),
  )
  const credential = toCredential(actor)
  const reached = memberships.filter((each) => findRejection(each, credential) === undefined)
  const roles = new Map(reached.map(({ id, role }) => [id, role]))
  return (orgId) => roles.get(orgId)
}
