import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import type { Api } from '../../api/api.ts'
import { toApprovers } from '../../changes/approvers.ts'
import { asksForProof, type ProveFlags, toProofTerms } from '../../api/proofs/proof-terms.ts'
import type { Environment } from '../../api/operations.ts'
import { changeFlags } from '../../changes/confirmation.ts'
import { findReached } from '../../changes/environment-descendants.ts'
import { askToDelete, carryOut, defineList } from '../../changes/resource-commands.ts'
import { type CliContext, listFlag, proveFlags, switchFlag, textFlag } from '../../cli-context.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'

const nameArgument = { brief: 'Name of the environment', placeholder: 'name' } as const

const list = defineList<Environment>({
  noun: 'environments',
  word: 'environments',
  member: 'environments',
  about: 'Lists the environments of the organization.',
  create: 'Create one: signalbox environments create <name>',
  read: (api, orgId) => api.environments(orgId),
  rowOf: ({ name, production, parentId, description, id }, styles, all) => [
    name,
    production ? styles.yellow('production') : '',
    parentId === null
      ? ''
      : `inherits from ${all.find((each) => each.id === parentId)?.name ?? parentId}`,
    description,
    styles.dim(id),
  ],
})

/** Returns an environment in words. Example: `the environment live (production)  env_01…`. */
function describeEnvironment({ name, production, id }: Environment): string {
  return `the environment ${name}${production ? ' (production)' : ''}  ${id}`
}

const create = defineCommand({
  brief: 'Create an environment',
  about: 'Creates an environment, optionally inheriting values from another.',
  examples: [
    'signalbox environments create staging',
    'signalbox environments create production --production --parent staging',
  ],
  flags: {
    description: textFlag('text', 'Purpose of the environment'),
    production: switchFlag('Ask for a confirmation before every change'),
    parent: textFlag('name', 'Environment to inherit values from'),
  },
  args: [nameArgument],
  run: async (session, { description, production, parent }, name) => {
    const { api, organization } = await openOrganization(session)
    const parentId = parent && (await api.environment(organization.id, parent)).id
    await carryOut(session, {
      would: `create the environment ${name} in ${organization.slug}`,
      plan: { name },
      send: () =>
        api.call('createEnvironment', {
          params: { org_id: organization.id },
          body: { name, production, ...withoutAbsent({ description, parentId }) },
        }),
      done: (environment) => [`Created ${describeEnvironment(environment)}`, { environment }],
    })
  },
})

/** Returns the members that have a value. */
function withoutAbsent<T extends Readonly<Record<string, unknown>>>(
  members: T,
): { readonly [NAME in keyof T]?: Exclude<T[NAME], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as { [NAME in keyof T]?: Exclude<T[NAME], undefined> }
}

const yesOrNo = (brief: string) => ({ kind: 'boolean', optional: true, brief }) as const

const choice = <const Value extends string>(values: readonly Value[], brief: string) =>
  ({ kind: 'enum', values, optional: true, brief }) as const

/** Lists the flags of what an environment requires of its changes. */
const protectionFlags = {
  askName: yesOrNo('Require its name for every change, or stop requiring it'),
  askComment: yesOrNo('Require a comment for every change, or stop requiring it'),
  approvals: choice(['0', '1', '2', '3'], 'People besides the author who approve a change'),
  approvers: listFlag('names', 'Roles, or members by their email addresses, who may approve'),
  declineBlocks: yesOrNo('Let one decline hold a change up, or only show it'),
  override: choice(['admin', 'owner', 'nobody'], 'Who may apply without approvals in an emergency'),
  killSwitches: choice(['free', 'approved'], 'Whether a kill switch needs approvals too'),
} as const

const update = defineCommand({
  brief: 'Change an environment',
  about: 'Changes only the given settings. A new parent changes the inherited values immediately.',
  examples: [
    'signalbox environments update staging --parent development',
    'signalbox environments update live --name production --production',
    'signalbox environments update production --ask-name --ask-comment',
    'signalbox environments update production --approvals 1 --approvers admin,owner',
    'signalbox environments update production --prove 30m --signal api-errors',
  ],
  flags: {
    name: textFlag('name', 'New name'),
    description: textFlag('text', 'Purpose of the environment'),
    production: yesOrNo('Ask for a confirmation before every change, or stop asking'),
    ...protectionFlags,
    ...proveFlags,
    noProve: switchFlag('Stop watching every change'),
    ...changeFlags,
    parent: textFlag('name', 'Environment to inherit values from'),
    noParent: switchFlag('Inherit from no environment'),
  },
  args: [nameArgument],
  run: async (session, flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const environment = await api.environment(organization.id, reference)
    const { name, description, production } = flags
    const protection = await protectionChange(api, organization.id, flags, environment)
    const change = {
      ...withoutAbsent({ name, description, production }),
      ...(Object.keys(protection).length > 0 && { protection }),
      ...(await parentChange(api, organization.id, flags)),
    }
    if (Object.keys(change).length === 0) {
      const why = `Nothing to change in ${environment.name}: give a flag.`
      throw new CliError('usage', 'change_required', why, {
        advice: 'signalbox environments update --help',
      })
    }
    const environments = session.flags.dryRun ? [] : await api.environments(organization.id)
    const updated = await carryOut(
      session,
      {
        would: `change ${describeEnvironment(environment)}`,
        plan: { environment, change },
        ask: {
          confirmed: flags.confirm,
          environment: findReached(environment, environments) ?? environment,
          question: `Change the environment ${environment.name}?`,
        },
        send: (confirmation) =>
          api.call('updateEnvironment', {
            params: { org_id: organization.id, environment_id: environment.id },
            body: { ...change, ...confirmation },
          }),
        done: (changed) => [`Changed ${describeEnvironment(changed)}`, { environment: changed }],
      },
      flags,
    )
    if (updated === undefined || updated.name === environment.name) return
    session.output.warn(
      `What reads ${environment.name} by this name no longer finds it: programs, pipelines and .signalbox.json. Change the name there, or use the id ${environment.id}, which stays`,
    )
  },
})

interface ProtectionFlags extends ProveFlags {
  readonly noProve?: boolean | undefined
  readonly askName?: boolean | undefined
  readonly askComment?: boolean | undefined
  readonly approvals?: '0' | '1' | '2' | '3' | undefined
  readonly approvers?: readonly string[] | undefined
  readonly declineBlocks?: boolean | undefined
  readonly override?: 'admin' | 'owner' | 'nobody' | undefined
  readonly killSwitches?: 'free' | 'approved' | undefined
}

async function protectionChange(
  api: Api,
  orgId: string,
  flags: ProtectionFlags,
  { protection }: Environment,
) {
  const { askName: confirm, askComment: comment, approvals, approvers } = flags
  const { declineBlocks, override, killSwitches } = flags
  const findId = async (name: string) => (await api.member(orgId, name)).userId
  return withoutAbsent({
    confirm,
    comment,
    approvals: approvals && Number(approvals),
    approvers: approvers && (await toApprovers(approvers, findId)),
    declineBlocks,
    override,
    killSwitches,
    prove: await proveChange(api, orgId, flags, protection.prove),
  })
}

/** Returns how changes are watched from now on. `undefined`: as they are. */
async function proveChange(
  api: Api,
  orgId: string,
  { noProve, ...flags }: ProtectionFlags,
  before: Environment['protection']['prove'],
) {
  if (noProve !== true) {
    if (!asksForProof(flags)) return undefined
    return toProofTerms(flags, (reference) => api.signalId(orgId, reference), before)
  }
  if (!asksForProof(flags)) return null
  throw new CliError('usage', 'usage', 'Use --prove or --no-prove, not both.')
}

async function parentChange(
  api: Api,
  orgId: string,
  {
    parent,
    noParent,
  }: { readonly parent?: string | undefined; readonly noParent?: boolean | undefined },
): Promise<{ readonly parentId?: string | null }> {
  if (parent !== undefined && noParent) {
    throw new CliError('usage', 'usage', 'Use --parent or --no-parent, not both.')
  }
  if (noParent) return { parentId: null }
  return parent === undefined ? {} : { parentId: (await api.environment(orgId, parent)).id }
}

const remove = defineCommand({
  brief: 'Delete an environment',
  about:
    'Deletes an environment. If it has values, --force is required. If others inherit from it, it cannot be deleted.',
  examples: ['signalbox environments delete preview-42 --yes'],
  flags: { force: switchFlag('Delete it even if it has values'), ...changeFlags },
  args: [nameArgument],
  run: async (session, flags, reference) => {
    const { api, organization } = await openOrganization(session)
    const environment = await api.environment(organization.id, reference)
    const { name, id } = environment
    assertNoDescendants(environment, await api.environments(organization.id))
    const all = flags.force ? ' with all its values' : ''
    const change = {
      would: `delete ${describeEnvironment(environment)}`,
      plan: { environment },
      ask: {
        ...askToDelete(name, `Delete the environment ${name}${all}?`),
        environment,
        confirmed: flags.confirm,
      },
      send: (confirmation: object) =>
        api.call('deleteEnvironment', {
          params: { org_id: organization.id, environment_id: id },
          query: { force: flags.force === true, ...confirmation },
        }),
      done: () => [`Deleted the environment ${name}`, { deleted: name, id }] as const,
    }
    await carryOut(session, change, flags).catch((error: unknown) => {
      const isInUse = error instanceof CliError && error.code === inUseCode
      if (flags.force || !isInUse) throw error
      throw inUse(`The environment ${name} has values.`, [
        'Repeat with --force to delete them too.',
      ])
    })
  },
})

/** Throws when other environments inherit from it, which `--force` does not change. @throws {CliError} `environment_in_use` */
function assertNoDescendants(
  { id, name }: Environment,
  environments: readonly Environment[],
): void {
  const descendants = environments
    .filter(({ parentId }) => parentId === id)
    .map((descendant) => descendant.name)
  if (descendants.length === 0) return
  throw inUse(
    `${descendants.join(', ')} inherit${descendants.length === 1 ? 's' : ''} from the environment ${name}.`,
    [
      'Choose another parent first, or none:',
      ...descendants.map((descendant) => `signalbox environments update ${descendant} --no-parent`),
    ],
  )
}

const inUseCode = 'environment_in_use'

function inUse(message: string, advice: readonly string[]): CliError {
  return new CliError('conflict', inUseCode, message, { advice: advice.join('\n') })
}

/** Defines `signalbox environments`, whose default is the list. */
export const environmentsRoutes = buildRouteMap<
  'list' | 'create' | 'update' | 'delete',
  CliContext
>({
  routes: { list, create, update, delete: remove },
  defaultCommand: 'list',
  docs: { brief: briefs.environments },
})
