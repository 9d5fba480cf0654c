import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../action.ts'
import type { Environment } from '../api/operations.ts'
import { confirmChange } from '../confirm.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../cli-context.ts'
import type { Session } from '../session.ts'
import { openOrganization } from '../target.ts'
import { renderTable } from '../terminal/table.ts'

type CreateFlags = GlobalFlags & {
  readonly description?: string | undefined
  readonly production?: boolean | undefined
  readonly parent?: string | undefined
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

async function deleteEnvironment(
  session: Session,
  flags: DeleteFlags,
  name: string,
): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const environment = await api.environment(organization.id, name)
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
  await api.call('deleteEnvironment', {
    params: { org_id: organization.id, environment_id: environment.id },
    query: { force: flags.force === true },
  })
  output.document({ deleted: environment.name, id: environment.id })
  output.result(`${output.styles.green('✓')} Deleted the environment ${environment.name}`)
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

const remove = buildCommand<DeleteFlags, [string], CliContext>({
  func: action(deleteEnvironment),
  parameters: {
    flags: { ...globalFlags, force: switchFlag('Also when it holds values') },
    positional: nameParameter,
  },
  docs: {
    brief: 'Delete an environment',
    fullDescription: describe('Deletes an environment. One that holds values needs --force.', [
      'signalbox environments delete preview-42 --yes',
    ]),
  },
})

export const environmentsRoutes = buildRouteMap<'list' | 'create' | 'delete', CliContext>({
  routes: { list, create, delete: remove },
  defaultCommand: 'list',
  docs: { brief: 'List, create and delete environments' },
})
