import { Problem } from '@signalbox/contract'
import type { Author } from '../audit/audit-event.ts'
import { toAuthor } from '../audit/author.ts'
import type { UserActor } from '../http/admission/actor.ts'
import type { Kit } from '../kit.ts'
import { createAuthenticate, type Authenticate } from './authenticate.ts'
import type { KeyAccess } from './open-key-access.ts'
import { holdAdmin, type PersonOfSession } from './members/hold-admin.ts'
import { findOrganizationByRef } from './organizations/rows.ts'
import { resolveOrganization } from './resolve-organization.ts'
import { isOperator } from './setup/is-operator.ts'
import { createUseRecorder, type UseRecorder } from './use-recorder.ts'

/** Names the person who is signed in to a browser. */
export interface SignedIn extends PersonOfSession {
  readonly author: Author
}

/** Answers what the rest of the service asks of actors and organizations. */
export interface People {
  readonly authenticate: Authenticate
  /** Records when keys, tokens and sessions were last used. */
  readonly uses: UseRecorder
  readonly resolveOrganization: (
    ...of: Parameters<typeof resolveOrganization> extends [unknown, ...infer Rest] ? Rest : never
  ) => ReturnType<typeof resolveOrganization>
  /** Returns whether a person runs this server. @throws {Problem} as `isOperator` does */
  readonly isOperator: (actor: UserActor) => Promise<boolean>
  readonly holdAdmin: typeof holdAdmin
  /** Finds the person who is signed in to a browser, by its cookie; `undefined` without a session or after its end. */
  readonly findMember: (cookie: string | undefined) => Promise<SignedIn | undefined>
  /** Finds the id of an organization by its id or slug. */
  readonly findOrganizationId: (ref: string) => Promise<string | undefined>
}

/** Opens the check of every kind of credential. People, and the grants of keys, are read from the database; keys from memory. */
export function openPeople(
  { settings, store, now, log }: Pick<Kit, 'settings' | 'store' | 'now' | 'log'>,
  { keyCache, verifier }: KeyAccess,
): People {
  const uses = createUseRecorder({ store, now, log })
  const { bootstrapToken } = settings
  const authenticate = createAuthenticate({ store, verifier, uses, bootstrapToken, now })
  return {
    uses,
    authenticate,
    resolveOrganization: (actor, ref) => resolveOrganization({ store, keyCache }, actor, ref),
    isOperator: (actor) => isOperator({ store }, actor),
    holdAdmin,
    findMember: (cookie) => findMember(authenticate, cookie),
    findOrganizationId: (ref) =>
      store.maintenance(async (tx) => (await findOrganizationByRef(tx, ref))?.id),
  }
}

async function findMember(
  authenticate: Authenticate,
  cookie: string | undefined,
): Promise<SignedIn | undefined> {
  try {
    const actor = await authenticate({ authorization: undefined, cookie })
    if (actor?.type !== 'user') return undefined
    return { userId: actor.userId, sessionId: actor.credentialId, author: toAuthor(actor) }
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined
    throw error
  }
}
