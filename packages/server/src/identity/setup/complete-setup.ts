import { timingSafeEqual } from 'node:crypto'
import { Problem, type ApiKeyKind, type KeyAccess } from '@signalbox/contract'
import type { AuditRequest, Author } from '../../audit/audit-event.ts'
import { recordAuditEvent } from '../../audit/record-event.ts'
import { newId } from '../../crypto/ids.ts'
import { hashOpaqueToken } from '../../crypto/opaque-tokens.ts'
import { hashPassword } from '../../crypto/passwords.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { OrganizationKeys } from '../../vault/organization-keys.ts'
import { addApiKey, recordKeyCreated, type ApiKeyWithSecret } from '../api-keys/add-api-key.ts'
import { defaultKeyEnd } from '../api-keys/require-key-end.ts'
import type { ConfigDirectory, FirstEnvironment } from '../config-directory.ts'
import { addOrganization } from '../organizations/create-organization.ts'
import { insertMember, type OrganizationRow } from '../organizations/rows.ts'
import type { PublishChange } from '../publish-change.ts'
import { openSession, type OpenedSession } from '../sessions/open-session.ts'
import { hasUsers, insertUser, type UserRow } from '../user-rows.ts'
import { findSetup, lockSetup, markSetupCompleted, type SetupRow } from './rows.ts'
import { requireUncommonPassword } from '../account/judge-password.ts'

export interface CompleteSetupDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly dataKeys: Pick<OrganizationKeys, 'create'>
  readonly configs: Pick<ConfigDirectory, 'createFirstEnvironments'>
  readonly publish: PublishChange
  readonly now: () => Date
}

export interface CompleteSetup {
  /** From the link. */
  readonly token: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly organizationName: string
  /** True where a key is asked for that reads everything. */
  readonly withServerKey: boolean
  /** Says whether that key writes everything too. */
  readonly serverKeyAccess: KeyAccess
  readonly request: AuditRequest
}

/** Describes what the set-up created. Keys with the secrets, which are shown once. */
export interface CompletedSetup {
  readonly user: Pick<UserRow, 'id' | 'name' | 'email'>
  readonly organization: OrganizationRow
  readonly environments: readonly FirstEnvironment[]
  readonly keys: readonly ApiKeyWithSecret[]
  readonly session: OpenedSession
}

interface FirstKey {
  readonly name: string
  readonly kind: ApiKeyKind
  readonly access: KeyAccess
}

const serverKey = { name: 'First server key', kind: 'm2m' } as const
const browserKey: FirstKey = { name: 'First browser key', kind: 'b2m', access: 'read' }

/**
 * Creates the first owner, the first organization with its environments, a browser key and, where it is asked for,
 * a server key; signs the owner in.
 * Works once: all of it is made or nothing.
 *
 * @throws {Problem} `setup_closed` when it was done before, `setup_forbidden` for another token than the last link's,
 * `validation_failed` for a password that is guessed first.
 */
export async function completeSetup(
  deps: CompleteSetupDeps,
  { password, ...setup }: CompleteSetup,
): Promise<CompletedSetup> {
  const { store, publish, now } = deps
  // Before the costly hash of the password: only a valid link may cause that.
  await store.transaction({ orgId: null }, async (tx) =>
    requireOpen(tx, await findSetup(tx), setup.token),
  )
  requireUncommonPassword(password, '/password')
  const passwordHash = await hashPassword(password)
  const { name, email } = setup
  const user = { id: newId('usr', now()), name, email, passwordHash }
  const orgId = newId('org', now())
  const completed = await store.transaction({ orgId, userId: user.id }, async (tx) => {
    await requireOpen(tx, await lockSetup(tx), setup.token)
    await markSetupCompleted(tx, { completedAt: now(), firstOrgId: orgId })
    return addFirst(deps, tx, { orgId, user, ...setup })
  })
  await publish()
  return completed
}

async function requireOpen(tx: Tx, setup: SetupRow | undefined, token: string): Promise<void> {
  const isClosed = (setup !== undefined && setup.completedAt !== null) || (await hasUsers(tx))
  if (isClosed) throw new Problem('setup_closed', 'This server is set up. Sign in instead.')
  const hash = hashOpaqueToken(token)
  if (setup !== undefined && hash !== undefined && timingSafeEqual(hash, setup.tokenHash)) return
  const detail =
    'This is not the latest setup link. Each start of the server prints a new one: use that, or restart the server.'
  throw new Problem('setup_forbidden', detail)
}

interface AddFirst {
  readonly orgId: string
  readonly user: UserRow
  readonly organizationName: string
  readonly withServerKey: boolean
  readonly serverKeyAccess: KeyAccess
  readonly request: AuditRequest
}

async function addFirst(
  { dataKeys, configs, now }: CompleteSetupDeps,
  tx: Tx,
  { orgId, user, organizationName, withServerKey, serverKeyAccess, request }: AddFirst,
): Promise<CompletedSetup> {
  const createdAt = now()
  const author: Author = { type: 'user', id: user.id, name: user.name }
  await insertUser(tx, user, createdAt)
  const organization = await addOrganization(tx, { id: orgId, name: organizationName, createdAt })
  const owner = { orgId, userId: user.id, role: 'owner', grantedBy: author } as const
  await insertMember(tx, owner, createdAt)
  await dataKeys.create(tx, orgId)
  const environments = await configs.createFirstEnvironments(tx, orgId)
  const keys: ApiKeyWithSecret[] = []
  const by = { orgId, actor: author, request }
  recordAuditEvent(tx, {
    ...by,
    action: 'org.created',
    target: { type: 'organization', id: orgId, name: organizationName },
    detail: { setup: true, environmentIds: environments.map(({ id }) => id) },
  })
  const firstKeys: FirstKey[] = withServerKey
    ? [{ ...serverKey, access: serverKeyAccess }, browserKey]
    : [browserKey]
  for (const key of firstKeys) {
    const unrestricted = {
      environmentIds: null,
      schemaIds: null,
      allowedOrigins: null,
      allowedNetworks: null,
      serviceAccounts: null,
    }
    const made = { expiresAt: defaultKeyEnd(createdAt), createdAt, createdBy: author }
    const added = await addApiKey(tx, { orgId, ...key, ...unrestricted, ...made })
    recordKeyCreated(tx, added, by)
    keys.push(added)
  }
  const session = await openSession(tx, { userId: user.id, request, now: createdAt })
  return {
    user: { id: user.id, name: user.name, email: user.email },
    organization,
    environments,
    keys,
    session,
  }
}
