import { limits, Problem } from '@signalbox/contract'
import type { AuditAction } from '../../../audit/audit-event.ts'
import { recordAuditEvent } from '../../../audit/record-event.ts'
import { newId } from '../../../crypto/ids.ts'
import { notFound } from '../../../http/answers/problem-response.ts'
import { validateBody } from '../../../http/input/validate.ts'
import type { Tx } from '../../../store/store.ts'
import { countGroups, deleteGroupRow, insertGroup } from '../groups/rows.ts'
import { deleteInvitationsOfLesser } from '../../invitations/rows.ts'
import { lockOrganization } from '../../organizations/rows.ts'
import type { Directory, ScimDeps } from './directory.ts'
import {
  listDirectoryGroups,
  listUnknownPeople,
  replaceGroupMembers,
  updateDirectoryGroup,
} from './group-rows.ts'
import { applyPatch } from './patch.ts'
import { groupInput, presentGroup, type DirectoryGroup } from './resources.ts'

/** Adds a group, which gives rights only by grants. @throws {Problem} `already_exists`, `validation_failed` */
export function createGroup(
  { store, now }: ScimDeps,
  directory: Directory,
  body: unknown,
): Promise<DirectoryGroup> {
  const { orgId, author } = directory
  const { displayName: name, externalId = null, members } = validateBody(groupInput, body)
  const createdAt = now()
  const id = newId('grp', createdAt)
  return store.transaction({ orgId }, async (tx) => {
    await hold(tx, orgId)
    if ((await countGroups(tx, orgId)) >= limits.groupsPerOrganization) throw tooMany()
    const group = {
      orgId,
      id,
      name,
      source: 'scim',
      externalId,
      createdAt,
      createdBy: author,
    } as const
    if (!(await insertGroup(tx, group))) throw nameTaken()
    await setMembers(tx, { orgId, groupId: id, userIds: members }, createdAt)
    record(tx, directory, 'group.created', { id, name })
    return requireGroup(tx, orgId, id)
  })
}

/** Replaces the name and the members of a group. @throws {Problem} as `changeGroup` */
export function replaceGroup(deps: ScimDeps, directory: Directory, id: string, body: unknown) {
  return changeGroup(deps, directory, id, () => body)
}

/** Changes the name or the members of a group. @throws {Problem} as `changeGroup`, and what a patch is refused with */
export function patchGroup(deps: ScimDeps, directory: Directory, id: string, body: unknown) {
  return changeGroup(deps, directory, id, (group) => {
    const { displayName, externalId } = presentGroup(group, '')
    const members = group.members.map(({ value }) => ({ value }))
    return applyPatch({ displayName, externalId, members }, body)
  })
}

/** @throws {Problem} `not_found`, `already_exists`, `validation_failed` */
function changeGroup(
  { store, now }: ScimDeps,
  directory: Directory,
  id: string,
  change: (group: DirectoryGroup) => unknown,
): Promise<DirectoryGroup> {
  const { orgId } = directory
  return store.transaction({ orgId }, async (tx) => {
    await hold(tx, orgId)
    const input = validateBody(groupInput, change(await requireGroup(tx, orgId, id)))
    const { displayName: name, externalId = null, members } = input
    if (!(await updateDirectoryGroup(tx, { orgId, id, name, externalId }))) throw nameTaken()
    await setMembers(tx, { orgId, groupId: id, userIds: members }, now())
    await deleteInvitationsOfLesser(tx, orgId)
    record(tx, directory, 'group.updated', { id, name })
    return requireGroup(tx, orgId, id)
  })
}

/** Deletes a group of the directory. @throws {Problem} `not_found` */
export function deleteGroup({ store }: ScimDeps, directory: Directory, id: string): Promise<void> {
  const { orgId } = directory
  return store.transaction({ orgId }, async (tx) => {
    await hold(tx, orgId)
    const { name } = await requireGroup(tx, orgId, id)
    await deleteGroupRow(tx, orgId, id)
    await deleteInvitationsOfLesser(tx, orgId)
    record(tx, directory, 'group.deleted', { id, name })
  })
}

/** Finds one group of the directory. @throws {Problem} `not_found` */
export function getGroup(
  { store }: ScimDeps,
  { orgId }: Directory,
  id: string,
): Promise<DirectoryGroup> {
  return store.transaction({ orgId }, (tx) => requireGroup(tx, orgId, id))
}

async function requireGroup(tx: Tx, orgId: string, id: string): Promise<DirectoryGroup> {
  const [group] = await listDirectoryGroups(tx, orgId, { id }, { offset: 0, limit: 1 })
  if (group === undefined) throw notFound()
  return group
}

async function setMembers(
  tx: Tx,
  group: Parameters<typeof replaceGroupMembers>[1],
  now: Date,
): Promise<void> {
  const [unknown] = await listUnknownPeople(tx, group.orgId, group.userIds)
  if (unknown !== undefined) {
    const detail =
      'A member of the group is not known here. Use the ids that /Users answers, of people who were not deleted.'
    throw new Problem('validation_failed', detail)
  }
  await replaceGroupMembers(tx, group, now)
}

/** Holds the members until the transaction ends, as every change of them does. */
async function hold(tx: Tx, orgId: string): Promise<void> {
  if (!(await lockOrganization(tx, orgId))) throw notFound()
}

function record(
  tx: Tx,
  { orgId, author, request }: Directory,
  action: AuditAction,
  { id, name }: Pick<DirectoryGroup, 'id' | 'name'>,
): void {
  // A person who reads a stream may have gained or lost what the group gives.
  tx.announce('credentials')
  recordAuditEvent(tx, {
    orgId,
    actor: author,
    action,
    target: { type: 'group', id, name },
    request,
  })
}

function nameTaken(): Problem {
  const detail =
    'The organization has a group of this name, perhaps one whose members admins choose. Rename one of them.'
  return new Problem('already_exists', detail)
}

function tooMany(): Problem {
  const detail = `An organization has at most ${limits.groupsPerOrganization} groups. Let the directory send fewer of them.`
  return new Problem('quota_exceeded', detail)
}
