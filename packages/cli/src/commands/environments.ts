import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../action.ts'
import type { Api } from '../api/api.ts'
import type { Environment, Organization } from '../api/operations.ts'
import { confirmChange } from '../confirm.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../cli-context.ts'
import { findReached } from '../heirs.ts'
import type { Session } from '../session.ts'
import { openOrganization } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { renderTable } from '../terminal/table.ts'

type CreateFlags = GlobalFlags & {
  readonly description?: string | undefined
  readonly production?: boolean | undefined
  readonly parent?: string | undefined
}
type UpdateFlags = GlobalFlags & {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly production?: boolean | undefined
  readonly parent?: string | undefined
  readonly noParent?: boolean | undefined
}
type DeleteFlags = GlobalFlags & { readonly force?: boolean | undefined }

async function listEnvironments(session: Session): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const environments = await session.progress('Reading the environments', () =>
    api.environments(organization.id),
  )
  const { output } = session
  output.document({ environments })
  const names = new Map(environments.map(({ id, name }) => [id, name]))
  const rows = environments.map(({ name, production, parentId, description, id }) => [
    name,
    production ? output.styles.yellow('production') : '',
    parentId === null ? '' : `inherits from ${names.get(parentId) ?? parentId}`,
    description,
    output.styles.dim(id),
  ])
  output.data(
    rows.length === 0
      ? 'There are no environments. signalbox environments create <name>'
      : renderTable(rows),
  )
}

async function createEnvironment(
  session: Session,
  flags: CreateFlags,
  name: string,
): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const parent =
    flags.parent === undefined ? undefined : await api.environment(organization.id, flags.parent)
  if (flags.dryRun) {
    output.document({ dryRun: true, name })
    output.result(`Would create the environment ${name} in ${organization.slug}.`)
    return
  }
  const environment = await api.call('createEnvironment', {
    params: { org_id: organization.id },
    body: {
      name,
      production: flags.production,
      ...(flags.description === undefined ? {} : { description: flags.description }),
      ...(parent === undefined ? {} : { parentId: parent.id }),
    },
  })
  output.document({ environment })
  output.result(`${output.styles.green('✓')} Created ${describeEnvironment(environment)}`)
}

async function updateEnvironment(
  session: Session,
  flags: UpdateFlags,
  name: string,
): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const environment = await api.environment(organization.id, name)
  const change = {
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    ...(flags.production === undefined ? {} : { production: flags.production }),
    ...(await parentChange(api, organization, flags)),
  }
  if (Object.keys(change).length === 0) {
    throw new CliError('usage', 'change_required', `What is to change in ${environment.name}?`, {
      hint: 'signalbox environments update --help',
    })
  }
  if (flags.dryRun) {
    output.document({ dryRun: true, environment, change })
    output.result(`Would change ${describeEnvironment(environment)}.`)
    return
  }
  const environments = await api.environments(organization.id)
  await confirmChange(session, {
    environment: findReached(environment, environments) ?? environment,
    question: `Change the environment ${environment.name}?`,
  })
  const updated = await api.call('updateEnvironment', {
    params: { org_id: organization.id, environment_id: environment.id },
    body: change,
  })
  output.document({ environment: updated })
  output.result(`${output.styles.green('✓')} Changed ${describeEnvironment(updated)}`)
}

async function parentChange(
  api: Api,
  organization: Organization,
  { parent, noParent }: UpdateFlags,
): Promise<{ readonly parentId?: string | null }> {
  if (parent !== undefined && noParent) {
    throw new CliError('usage', 'usage', 'Give --parent or --no-parent, not both.')
  }
  if (noParent) return { parentId: null }
  return parent === undefined
    ? {}
    : { parentId: (await api.environment(organization.id, parent)).id }
}

async function deleteEnvironment(
  session: Session,
  flags: DeleteFlags,
  name: string,
): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const environment = await api.environment(organization.id, name)
  assertNoHeirs(environment, await api.environments(organization.id))
  if (flags.dryRun) {
    output.document({ dryRun: true, environment })
    output.result(`Would delete ${describeEnvironment(environment)}.`)
    return
  }
  await confirmChange(session, {
    environment,
    question: `Delete the environment ${environment.name}${flags.force ? ' with all its values' : ''}?`,
    elsewhere: 'always',
  })
  try {
    await api.call('deleteEnvironment', {
      params: { org_id: organization.id, environment_id: environment.id },
      query: { force: flags.force === true },
    })
  } catch (error) {
    if (flags.force || !isInUse(error)) throw error
    throw inUse(`The environment ${environment.name} holds values.`, [
      'Repeat with --force to delete them too.',
    ])
  }
  output.document({ deleted: environment.name, id: environment.id })
  output.result(`${output.styles.green('✓')} Deleted the environment ${environment.name}`)
}

/** @throws {CliError} `environment_in_use` when others inherit from it, which `--force` does not change */
function assertNoHeirs({ id, name }: Environment, environments: readonly Environment[]): void {
  const heirs = environments.filter(({ parentId }) => parentId === id).map((heir) => heir.name)
  if (heirs.length === 0) return
  throw inUse(
    `${heirs.join(', ')} inherit${heirs.length === 1 ? 's' : ''} from the environment ${name}.`,
    [
      'Give another parent first, or none:',
      ...heirs.map((heir) => `signalbox environments update ${heir} --no-parent`),
    ],
  )
}

const inUseCode = 'environment_in_use'

function isInUse(error: unknown): boolean {
  return error instanceof CliError && error.code === inUseCode
}

function inUse(message: string, hints: readonly string[]): CliError {
  return new CliError('conflict', inUseCode, message, { hint: hints.join('\n') })
}

function describeEnvironment({ name, production, id }: Environment): string {
  return `the environment ${name}${production ? ' (production)' : ''}  ${id}`
}

const nameParameter = {
  kind: 'tuple',
  parameters: [
    { brief: 'Name of the environment', parse: (text: string) => text, placeholder: 'name' },
  ],
} as const

const list = buildCommand<GlobalFlags, [], CliContext>({
  func: action(listEnvironments),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'List the environments',
    fullDescription: describe('Lists the environments of the organization.', [
      'signalbox environments',
    ]),
  },
})

const create = buildCommand<CreateFlags, [string], CliContext>({
  func: action(createEnvironment),
  parameters: {
    flags: {
      ...globalFlags,
      description: textFlag('text', 'What it is for'),
      production: switchFlag('Changes to it are confirmed'),
      parent: textFlag('name', 'Environment to inherit values from'),
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Create an environment',
    fullDescription: describe(
      'Creates an environment, optionally inheriting values from another.',
      [
        'signalbox environments create staging',
        'signalbox environments create production --production --parent staging',
      ],
    ),
  },
})

const update = buildCommand<UpdateFlags, [string], CliContext>({
  func: action(updateEnvironment),
  parameters: {
    flags: {
      ...globalFlags,
      name: textFlag('name', 'Another name for it'),
      description: textFlag('text', 'What it is for'),
      production: {
        kind: 'boolean',
        optional: true,
        brief: 'Changes to it are confirmed, or no longer',
      },
      parent: textFlag('name', 'Environment to inherit values from'),
      noParent: switchFlag('Inherit from no environment'),
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Change an environment',
    fullDescription: describe(
      'Changes what is given and leaves the rest. With another parent the values it inherits change at once.',
      [
        'signalbox environments update staging --parent development',
        'signalbox environments update live --name production --production',
      ],
    ),
  },
})

const remove = buildCommand<DeleteFlags, [string], CliContext>({
  func: action(deleteEnvironment),
  parameters: {
    flags: { ...globalFlags, force: switchFlag('Also when it holds values') },
    positional: nameParameter,
  },
  docs: {
    brief: 'Delete an environment',
    fullDescription: describe(
      'Deletes an environment. One that holds values needs --force; one that others inherit from cannot be deleted.',
      ['signalbox environments delete preview-42 --yes'],
    ),
  },
})

export const environmentsRoutes = buildRouteMap<
  'list' | 'create' | 'update' | 'delete',
  CliContext
>({
  routes: { list, create, update, delete: remove },
  defaultCommand: 'list',
  docs: { brief: 'List, create, change and delete environments' },
})
