import { limits, Problem } from '@signalbox/contract'
import { makerOf, toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent, recordMaintenanceEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import type { Egress } from '../../../egress/create-egress.ts'
import { EgressError } from '../../../egress/egress-error.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import type { Store, Tx } from '../../../store/store.ts'
import type { OrganizationKeys } from '../../../vault/organization-keys.ts'
import type { Caller } from '../../caller.ts'
import { emptySignInGroups } from '../../members/groups/rows.ts'
import { listEmailDomainRows } from '../../members/email-domains/rows.ts'
import { lockOrganization } from '../../organizations/rows.ts'
import { secretContext } from './open-provider.ts'
import {
  deleteProviderSessions,
  deleteSignInProvider,
  insertSignInProvider,
  listSignInProviderRows,
  lockSignInProvider,
  updateSignInProvider,
  type SignInProvider,
} from './rows.ts'

export interface ChangeProvidersDeps {
  readonly store: Pick<Store, 'transaction' | 'maintenance'>
  readonly dataKeys: Pick<OrganizationKeys, 'getSealer'>
  /** Guards the addresses that people enter. */
  readonly memberEgress: Pick<Egress, 'requireSendable'>
  readonly now: () => Date
}

export interface AddProvider extends Pick<
  SignInProvider,
  'orgId' | 'name' | 'issuer' | 'clientId' | 'groupsClaim'
> {
  readonly clientSecret: string
  readonly caller: Caller
}

/** Adds a provider. @throws {Problem} `domain_unverified`, `quota_exceeded`, `validation_failed` for an issuer that no request goes to */
export function addProvider(
  { store, dataKeys, memberEgress, now }: ChangeProvidersDeps,
  { caller, clientSecret, ...added }: AddProvider,
): Promise<SignInProvider> {
  requireIssuer(memberEgress, added.issuer)
  const { orgId, name } = added
  const { actor, request, scope } = caller
  const createdAt = now()
  const id = newId('idp', createdAt)
  return store.transaction(scope, async (tx) => {
    await lockOrganization(tx, orgId)
    await requireQuota(tx, orgId)
    const sealer = await dataKeys.getSealer(tx, orgId)
    const sealedSecret = sealer.seal(secretContext(orgId, id), clientSecret)
    const createdBy = makerOf({ author: toAuthor(actor), request })
    const row = { ...added, id, sealedSecret, createdAt, createdBy }
    await insertSignInProvider(tx, row)
    // From now on this provider fills the groups of the sign-in, and nothing empties them of those whom another one put there.
    await emptySignInGroups(tx, orgId)
    tx.announce('credentials')
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(actor),
      action: 'sign_in_provider.created',
      target: { type: 'sign_in_provider', id, name },
      request,
    })
    return { ...row, revision: 1 }
  })
}

export interface UpdateProvider {
  readonly orgId: string
  readonly id: string
  readonly caller: Caller
  readonly changes: {
    readonly name?: string | undefined
    readonly clientId?: string | undefined
    readonly clientSecret?: string | undefined
    readonly groupsClaim?: string | undefined
  }
}

/** Changes a provider, but for its issuer. @throws {Problem} `not_found` */
export function changeProvider(
  { store, dataKeys }: ChangeProvidersDeps,
  { orgId, id, caller, changes }: UpdateProvider,
): Promise<SignInProvider> {
  const { clientSecret, ...fields } = changes
  return store.transaction(caller.scope, async (tx) => {
    await lockOrganization(tx, orgId)
    const row = await requireProvider(tx, orgId, id)
    const sealer = await dataKeys.getSealer(tx, orgId)
    const changed = {
      ...row,
      name: fields.name ?? row.name,
      clientId: fields.clientId ?? row.clientId,
      groupsClaim: fields.groupsClaim ?? row.groupsClaim,
      ...(clientSecret !== undefined && {
        sealedSecret: sealer.seal(secretContext(orgId, id), clientSecret),
      }),
    }
    await updateSignInProvider(tx, changed)
    recordAuditEvent(tx, {
      orgId,
      actor: toAuthor(caller.actor),
      action: 'sign_in_provider.updated',
      target: { type: 'sign_in_provider', id, name: changed.name },
      detail: { fields: Object.keys(changes) },
      request: caller.request,
    })
    return { ...changed, revision: row.revision + 1 }
  })
}

/** Removes a provider, and ends the sessions that follow from it. @throws {Problem} `not_found` */
export async function removeProvider(
  { store }: Pick<ChangeProvidersDeps, 'store'>,
  { orgId, id, caller }: Pick<UpdateProvider, 'orgId' | 'id' | 'caller'>,
): Promise<void> {
  const { name } = await store.transaction(caller.scope, (tx) => requireProvider(tx, orgId, id))
  await store.maintenance(async (tx) => {
    // A sign-in that ends meanwhile waits for the lock, and then finds no provider to keep its session for.
    await lockSignInProvider(tx, orgId, id)
    const ended = await deleteProviderSessions(tx, {
      orgId,
      providerId: id,
      subject: null,
      sid: null,
    })
    await deleteSignInProvider(tx, orgId, id)
    await emptySignInGroups(tx, orgId)
    tx.announce('credentials')
    recordMaintenanceEvent(tx, {
      orgId,
      actor: toAuthor(caller.actor),
      action: 'sign_in_provider.removed',
      target: { type: 'sign_in_provider', id, name },
      detail: { sessionsEnded: ended },
      request: caller.request,
    })
  })
}

async function requireProvider(tx: Tx, orgId: string, id: string): Promise<SignInProvider> {
  const row = (await listSignInProviderRows(tx, orgId)).find((each) => each.id === id)
  if (row === undefined) throw notFound()
  return row
}

async function requireQuota(tx: Tx, orgId: string): Promise<void> {
  const domains = await listEmailDomainRows(tx, orgId)
  if (domains.every(({ verifiedAt }) => verifiedAt === null)) {
    const detail =
      'This organization has verified no e-mail domain. Verify one first: the provider signs in only people with such addresses.'
    throw new Problem('domain_unverified', detail)
  }
  if ((await listSignInProviderRows(tx, orgId)).length < limits.signInProvidersPerOrganization)
    return
  const detail = `An organization has at most ${limits.signInProvidersPerOrganization} providers. Remove one that nobody uses.`
  throw new Problem('quota_exceeded', detail)
}

/** @throws {Problem} `validation_failed` */
function requireIssuer(egress: ChangeProvidersDeps['memberEgress'], issuer: string): void {
  try {
    egress.requireSendable(issuer)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const detail =
      'No request goes to this address. Use the https issuer of a public provider, or ask an operator to allow it.'
    throw new Problem('validation_failed', `/issuer: ${detail}`, {
      errors: [{ pointer: '/issuer', code: 'validation_failed', detail }],
    })
  }
}
