import { grantRoles } from '@signalbox/contract'
import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import type { Api } from '../../api/api.ts'
import type { Grant } from '../../api/operations.ts'
import { askToDelete, carryOut } from '../../changes/resource-commands.ts'
import { type CliContext, listFlag, switchFlag, textFlag } from '../../cli-context.ts'
import { briefs } from '../../help/briefs.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { printable } from '../../terminal/printable.ts'
import { renderTable } from '../../terminal/table.ts'
import { findEnvironmentIds, findGroup, findKey, findSchemaIds } from './find-named.ts'

type Terms = Pick<Grant, 'role' | 'environmentIds' | 'schemaIds'>

interface TermsFlags {
  readonly role?: Terms['role'] | undefined
  readonly environments?: readonly string[] | undefined
  readonly allEnvironments?: boolean | undefined
  readonly schemas?: readonly string[] | undefined
  readonly allSchemas?: boolean | undefined
}

const grantArgument = { brief: 'Id of the grant', placeholder: 'id' } as const
const termsFlags = {
  role: {
    kind: 'enum',
    values: grantRoles,
    optional: true,
    brief: 'What it allows; the guide "access" says what each role does',
  },
  environments: listFlag('names', 'Environments that it applies in'),
  allEnvironments: switchFlag('It applies in every environment, also those created later'),
  schemas: listFlag('names', 'Schemas that it applies to'),
  allSchemas: switchFlag('It applies to every schema, also those created later'),
} as const

/** Says a grant in words: its subject, role, environments and schemas. */
type Describe = (grant: Omit<Grant, 'createdBy' | 'createdWith'>) => readonly string[]

/** Reads the names of what grants are about. What is deleted is said to be. */
async function openDescribe(api: Api, orgId: string): Promise<Describe> {
  const [environments, schemas] = await Promise.all([api.environments(orgId), api.schemas(orgId)])
  return ({ subject, role, environmentIds, schemaIds }) => [
    printable(subject.name),
    subjects[subject.type],
    role,
    nameAll(environmentIds, environments, 'environment'),
    nameAll(schemaIds, schemas, 'schema'),
  ]
}

function nameAll(
  ids: readonly string[] | null,
  known: readonly { readonly id: string; readonly name: string }[],
  noun: string,
): string {
  if (ids === null) return `every ${noun}`
  return ids.map((id) => known.find((one) => one.id === id)?.name ?? `a deleted ${noun}`).join(', ')
}

const subjects = { member: 'member', group: 'group', api_key: 'server key' } as const

const list = defineCommand({
  brief: 'List the grants',
  about:
    'Lists the grants of the organization: the subject, the role, the environments and the schemas.',
  examples: ['signalbox grants'],
  run: async (session) => {
    const { api, organization } = await openOrganization(session)
    const grants = await api.grants(organization.id)
    const describe = await openDescribe(api, organization.id)
    const { output } = session
    output.document({ grants })
    const rows = grants.map((grant) => [...describe(grant), output.styles.dim(grant.id)])
    output.data(
      rows.length === 0
        ? 'There are no grants: the role of each member decides everywhere. Create one: signalbox grants create --group <name> --role editor --environments staging'
        : renderTable(rows),
    )
  },
})

const create = defineCommand({
  brief: 'Give a member, a group or a server key a role somewhere',
  about:
    'Creates a grant. It adds to the role of a member, or to the access of a server key, and takes nothing away. Without --schemas it applies to every schema.',
  examples: [
    'signalbox grants create --group Developers --role editor --environments staging',
    'signalbox grants create --member ada@example.com --role reader --environments production --schemas shop',
    'signalbox grants create --key "Deploy key" --role editor --environments staging',
  ],
  flags: {
    group: textFlag('name', 'Group that gets the grant'),
    member: textFlag('email', 'Member that gets the grant'),
    key: textFlag('name', 'Server key that gets the grant'),
    ...termsFlags,
  },
  run: async (session, flags) => {
    const { role } = flags
    const chosen = [flags.group, flags.member, flags.key].filter((name) => name !== undefined)
    if (chosen.length !== 1)
      throw usage('subject_required', 'Use one of --group, --member and --key.')
    if (role === undefined) throw usage('role_required', `Use --role: ${grantRoles.join(', ')}.`)
    if (flags.environments === undefined && flags.allEnvironments !== true)
      throw usage('environments_required', 'Use --environments <names> or --all-environments.')
    const { api, organization } = await openOrganization(session)
    const subject = await findSubject(api, organization.id, flags)
    const terms = {
      environmentIds: null,
      schemaIds: null,
      ...(await readTerms(api, organization.id, flags)),
      role,
    }
    const describe = await openDescribe(api, organization.id)
    const body = { ...subject.body, ...terms }
    const named = { ...terms, subject: subject.named, id: '', createdAt: '', revision: 0 }
    await carryOut(session, {
      would: `create the grant: ${describe(named).join(', ')}`,
      plan: { grant: body },
      send: () => api.call('createGrant', { params: { org_id: organization.id }, body }),
      done: (grant) => [`${describe(grant).join(', ')}  ${grant.id}`, { grant }],
    })
  },
})

/** Finds the subject of a grant that the flags name. */
async function findSubject(
  api: Api,
  orgId: string,
  {
    group,
    member,
    key = '',
  }: { readonly [NAME in 'group' | 'member' | 'key']?: string | undefined },
) {
  if (group !== undefined) {
    const { id, name } = await findGroup(api, orgId, group)
    return { body: { groupId: id }, named: { type: 'group', id, name } } as const
  }
  if (member !== undefined) {
    const { userId, name } = await api.member(orgId, member)
    return { body: { userId }, named: { type: 'member', id: userId, name } } as const
  }
  const { id, name } = await findKey(api, orgId, key)
  return { body: { keyId: id }, named: { type: 'api_key', id, name } } as const
}

/** Returns the terms that the flags name. @throws {CliError} `usage` for a list beside its `--all-…` */
async function readTerms(api: Api, orgId: string, flags: TermsFlags): Promise<Partial<Terms>> {
  const { role, environments, allEnvironments, schemas, allSchemas } = flags
  if (environments !== undefined && allEnvironments)
    throw usage('usage', 'Use --environments or --all-environments, not both.')
  if (schemas !== undefined && allSchemas)
    throw usage('usage', 'Use --schemas or --all-schemas, not both.')
  return {
    ...(role !== undefined && { role }),
    ...(allEnvironments && { environmentIds: null }),
    ...(environments && { environmentIds: await findEnvironmentIds(api, orgId, environments) }),
    ...(allSchemas && { schemaIds: null }),
    ...(schemas && { schemaIds: await findSchemaIds(api, orgId, schemas) }),
  }
}

const update = defineCommand({
  brief: 'Change a grant',
  about: 'Changes the role of a grant, or where it applies. What you leave out stays.',
  examples: [
    'signalbox grants update gra_01… --environments staging,development',
    'signalbox grants update gra_01… --role reader --all-schemas',
  ],
  flags: termsFlags,
  args: [grantArgument],
  run: async (session, flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const grant = await findGrant(api, organization.id, reference)
    const change = await readTerms(api, organization.id, flags)
    if (Object.keys(change).length === 0)
      throw usage('change_required', 'Nothing to change: give a flag.', 'update')
    const describe = await openDescribe(api, organization.id)
    await carryOut(session, {
      would: `change the grant to: ${describe({ ...grant, ...change }).join(', ')}`,
      plan: { grant, change },
      send: () =>
        api.call('updateGrant', {
          params: { org_id: organization.id, grant_id: grant.id },
          body: change,
          ifMatch: grant.revision,
        }),
      done: (changed) => [`${describe(changed).join(', ')}  ${changed.id}`, { grant: changed }],
    })
  },
})

const end = defineCommand({
  brief: 'End a grant',
  about: 'Ends a grant immediately. Roles and other grants stay.',
  examples: ['signalbox grants end gra_01… --yes'],
  args: [grantArgument],
  run: async (session, _flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const grant = await findGrant(api, organization.id, reference)
    const { id, subject } = grant
    const text = (await openDescribe(api, organization.id))(grant).join(', ')
    await carryOut(session, {
      would: `end the grant: ${text}`,
      plan: { grant },
      ask: askToDelete(subject.name, `End the grant: ${text}?`),
      send: () => api.call('deleteGrant', { params: { org_id: organization.id, grant_id: id } }),
      done: () => [`Ended the grant: ${text}`, { ended: id }],
    })
  },
})

async function findGrant(api: Api, orgId: string, id: string): Promise<Grant> {
  const grant = (await api.grants(orgId)).find((one) => one.id === id)
  if (grant !== undefined) return grant
  throw new CliError('failure', 'grant_not_found', `There is no grant "${id}".`, {
    advice: 'Name it by its id, which is in the list: signalbox grants',
  })
}

function usage(code: string, why: string, command = 'create'): CliError {
  return new CliError('usage', code, why, { advice: `signalbox grants ${command} --help` })
}

/** Defines `signalbox grants`, whose default is the list. */
export const grantsRoutes = buildRouteMap<'list' | 'create' | 'update' | 'end', CliContext>({
  routes: { list, create, update, end },
  defaultCommand: 'list',
  docs: { brief: briefs.grants },
})
