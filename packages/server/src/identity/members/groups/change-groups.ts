import { limits, Problem } from '@signalbox/contract'
import type { AuditAction } from '../../../audit/audit-event.ts'
import { makerOf, toAuthor } from '../../../audit/author.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import { requireVersion } from '../../../http/admission/preconditions.ts'
import type { Store, Tx } from '../../../store/store.ts'
import type { Caller } from '../../caller.ts'
import { deleteInvitationsOfLesser } from '../../invitations/rows.ts'
import { holdMembers, requireAdmin } from '../hold-members.ts'
import { refuseDirectory, type Group } from './group.ts'
import { countGroups, deleteGroupRow, findGroup, insertGroup, renameGroup } from './rows.ts'

export interface GroupDeps {
  readonly store: Pick<Store, 'transaction'>
  readonly now: () => Date
}

export interface OfGroup {
  readonly orgId: string
  readonly groupId: string
  readonly caller: Caller
}

/**
 * Creates a group, which allows nothing until it has a grant.
 *
 * @throws {Problem} `already_exists`, `quota_exceeded`
 */
export async function createGroup(
  { store, now }: GroupDeps,
  {
    orgId,
    caller,
    name,
    source,
  }: Omit<OfGroup, 'groupId'> & Pick<Group, 'name'> & { readonly source: 'manual' | 'oidc' },
): Promise<Group> {
  const { actor, scope, request } = caller
  return store.transaction(scope, async (tx) => {
    requireAdmin(await holdMembers(tx, orgId, actor))
    await requireQuota(tx, orgId)
    const createdAt = now()
    const createdBy = makerOf({ author: toAuthor(actor), request })
    const group = { id: newId('grp', createdAt), name, source, createdAt, createdBy }
    if (!(await insertGroup(tx, { ...group, orgId, externalId: null }))) throw nameTaken(name)
    recordGroup(tx, { orgId, caller }, { action: 'group.created', group, detail: { source } })
    return { ...group, memberCount: 0, revision: 1 }
  })
}

/** Renames a group. @throws {Problem} `not_found`, `already_exists`, `conflict`, `revision_mismatch` */
export async function updateGroup(
  { store }: Pick<GroupDeps, 'store'>,
  of: OfGroup & { readonly name: string; readonly ifMatch: number | undefined },
): Promise<Group> {
  const { orgId, groupId, caller, name, ifMatch } = of
  return store.transaction(caller.scope, async (tx) => {
    const group = await holdGroup(tx, of)
    refuseDirectory(group)
    requireVersion(group.revision, ifMatch)
    if (group.name === name) return group
    if (!(await renameGroup(tx, orgId, { id: groupId, name }))) throw nameTaken(name)
    const detail = { from: group.name, to: name }
    recordGroup(tx, of, { action: 'group.updated', group: { id: groupId, name }, detail })
    return { ...group, name, revision: group.revision + 1 }
  })
}

/** Deletes a group with its grants. @throws {Problem} `not_found`, `conflict` */
export async function deleteGroup({ store }: Pick<GroupDeps, 'store'>, of: OfGroup): Promise<void> {
  const { orgId, groupId, caller } = of
  await store.transaction(caller.scope, async (tx) => {
    const group = await holdGroup(tx, of)
    refuseDirectory(group)
    await deleteGroupRow(tx, orgId, groupId)
    tx.announce('credentials')
    const invitationsEnded = await deleteInvitationsOfLesser(tx, orgId)
    const detail = { members: group.memberCount, invitationsEnded }
    recordGroup(tx, of, { action: 'group.deleted', group, detail })
  })
}

/** Locks the members of the organization, and returns a group of it. @throws {Problem} `not_found`, `role_forbidden` */
export async function holdGroup(
  tx: Tx,
  { orgId, groupId, caller: { actor } }: OfGroup,
): Promise<Group> {
  requireAdmin(await holdMembers(tx, orgId, actor))
  const group = await findGroup(tx, orgId, groupId)
  if (group === undefined) throw notFound()
  return group
}

/** Records what the caller did with a group. */
export function recordGroup(
  tx: Tx,
  { orgId, caller: { actor, request } }: Pick<OfGroup, 'orgId' | 'caller'>,
  {
    action,
    group: { id, name },
    detail,
  }: {
    readonly action: AuditAction
    readonly group: Pick<Group, 'id' | 'name'>
    readonly detail: Readonly<Record<string, unknown>>
  },
): void {
  const target = { type: 'group', id, name }
  recordAuditEvent(tx, { orgId, actor: toAuthor(actor), action, target, detail, request })
}

async function requireQuota(tx: Tx, orgId: string): Promise<void> {
  if ((await countGroups(tx, orgId)) < limits.groupsPerOrganization) return
  const detail = `An organization has at most ${limits.groupsPerOrganization} groups. Delete one that you don’t use.`
  throw new Problem('quota_exceeded', detail)
}

function nameTaken(name: string): Problem {
  const detail = `The group ${name} already exists. Choose another name.`
  const errors = [{ pointer: '/name', code: 'already_exists' as const, detail }]
  return new Problem('already_exists', detail, { errors })
}
