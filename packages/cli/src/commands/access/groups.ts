import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import type { Group } from '../../api/operations.ts'
import type { CliContext } from '../../cli-context.ts'
import { briefs } from '../../help/briefs.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { countOf } from '../../terminal/count.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'
import { findGroup } from './find-named.ts'

const groupArgument = { brief: 'Name or id of the group', placeholder: 'group' } as const
const memberArgument = {
  brief: 'Email address or id of the member',
  placeholder: 'member',
} as const

const sources = { manual: '', oidc: 'follows the sign-in', scim: 'follows the directory' } as const

const list = defineList<Group>({
  noun: 'groups',
  word: 'groups',
  member: 'groups',
  about: 'Lists the groups of the organization. A group allows nothing until it has a grant.',
  create: 'Create one: signalbox groups create <name>',
  read: (api, orgId) => api.groups(orgId),
  rowOf: ({ name, memberCount, source, id }, styles) => [
    styles.bold(printable(name)),
    countOf(memberCount, 'member'),
    sources[source],
    styles.dim(id),
  ],
})

const members = defineCommand({
  brief: 'List the members of a group',
  about: 'Lists the members of a group.',
  examples: ['signalbox groups members Developers'],
  args: [groupArgument],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const group = await findGroup(api, organization.id, reference)
    const all = await api.groupMembers(organization.id, group.id)
    const { output } = session
    output.document({ group, members: all })
    const rows = all.map(({ email, name, userId }) => [
      output.styles.bold(printable(email)),
      printable(name),
      output.styles.dim(userId),
    ])
    output.data(
      rows.length === 0
        ? `${printable(group.name)} has no members. Add one: signalbox groups add ${JSON.stringify(group.name)} <email>`
        : renderTable(rows),
    )
  },
})

const create = defineCommand({
  brief: 'Create a group',
  about:
    'Creates a group. With --source oidc, its members are those whose sign-in names it in the groups claim. A directory creates its groups itself.',
  examples: ['signalbox groups create Developers'],
  flags: {
    source: {
      kind: 'enum',
      values: ['manual', 'oidc'],
      optional: true,
      brief: 'Who chooses its members (default manual: admins)',
    },
  },
  args: [{ ...groupArgument, brief: 'Name of the group' }],
  run: async (session, { source = 'manual' }, name) => {
    const { api, organization } = await openOrganization(session)
    const body = { name, source }
    await carryOut(session, {
      would: `create the group ${printable(name)}`,
      plan: { group: body },
      send: () => api.call('createGroup', { params: { org_id: organization.id }, body }),
      done: (group) => [
        `Created the group ${printable(name)}  ${group.id}. It allows nothing until it has a grant.`,
        { group },
      ],
    })
  },
})

const rename = defineCommand({
  brief: 'Rename a group',
  about: 'Gives a group another name. Its members and grants stay.',
  examples: ['signalbox groups rename Developers Engineers'],
  args: [groupArgument, { brief: 'New name', placeholder: 'name' }],
  run: async (session, _flags, reference, name) => {
    const { api, organization } = await openOrganization(session)
    const before = await findGroup(api, organization.id, reference)
    await carryOut(session, {
      would: `rename the group ${printable(before.name)} to ${printable(name)}`,
      plan: { group: before, name },
      send: () =>
        api.call('updateGroup', {
          params: { org_id: organization.id, group_id: before.id },
          body: { name },
          ifMatch: before.revision,
        }),
      done: (group) => [`${printable(before.name)} is now ${printable(group.name)}.`, { group }],
    })
  },
})

/** Finds a group and a member, by their names or ids. */
async function openMembership(session: Session, reference: string, person: string) {
  const { api, organization } = await openOrganization(session)
  const group = await findGroup(api, organization.id, reference)
  const { userId, email } = await api.member(organization.id, person)
  return {
    api,
    group,
    email,
    params: { org_id: organization.id, group_id: group.id, user_id: userId },
  }
}

const add = defineCommand({
  brief: 'Add a member to a group',
  about: 'Adds a member to a group. Its grants count from the next request on.',
  examples: ['signalbox groups add Developers ada@example.com'],
  args: [groupArgument, memberArgument],
  run: async (session, _flags, reference, person) => {
    const { api, params, group, email } = await openMembership(session, reference, person)
    await carryOut(session, {
      would: `add ${email} to ${printable(group.name)}`,
      plan: { groupId: group.id, userId: params.user_id },
      send: () => api.call('addGroupMember', { params }),
      done: (member) => [`${email} is in ${printable(group.name)}.`, { group, member }],
    })
  },
})

const remove = defineCommand({
  brief: 'Remove a member from a group',
  about: 'Removes a member from a group. Its grants end for this member immediately.',
  examples: ['signalbox groups remove Developers ada@example.com'],
  args: [groupArgument, memberArgument],
  run: async (session, _flags, reference, person) => {
    const { api, params, group, email } = await openMembership(session, reference, person)
    await carryOut(session, {
      would: `remove ${email} from ${printable(group.name)}`,
      plan: { groupId: group.id, userId: params.user_id },
      send: () => api.call('removeGroupMember', { params }),
      done: () => [
        `${email} is no longer in ${printable(group.name)}.`,
        { removed: params.user_id, group },
      ],
    })
  },
})

const deleteGroup = defineCommand({
  brief: 'Delete a group',
  about: 'Deletes a group with its grants. Its members stay in the organization.',
  examples: ['signalbox groups delete Developers --yes'],
  args: [groupArgument],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const group = await findGroup(api, organization.id, reference)
    const { id, name } = group
    await carryOut(session, {
      would: `delete the group ${printable(name)}`,
      plan: { group },
      ask: askToDelete(name, `Delete the group ${name} with its grants?`),
      send: () => api.call('deleteGroup', { params: { org_id: organization.id, group_id: id } }),
      done: () => [`Deleted the group ${printable(name)}`, { deleted: id, name }],
    })
  },
})

/** Defines `signalbox groups`, whose default is the list. */
export const groupsRoutes = buildRouteMap<
  'list' | 'members' | 'create' | 'rename' | 'add' | 'remove' | 'delete',
  CliContext
>({
  routes: { list, members, create, rename, add, remove, delete: deleteGroup },
  defaultCommand: 'list',
  docs: { brief: briefs.groups },
})
