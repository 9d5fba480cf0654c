import { buildCommand, buildRouteMap } from '@stricli/core'
import { action, describe } from '../../action.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../../cli-context.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { renderTable } from '../../terminal/table.ts'
import { deleteEnvironmentCommand } from './delete-environment.ts'
import { describeEnvironment, nameParameter } from './describe-environment.ts'
import { updateEnvironmentCommand } from './update-environment.ts'

type CreateFlags = GlobalFlags & {
  readonly description?: string | undefined
  readonly production?: boolean | undefined
  readonly parent?: string | undefined
}
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
      ? 'There are no environments. Create one: signalbox environments create <name>'
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
      description: textFlag('text', 'Purpose of the environment'),
      production: switchFlag('Ask for a confirmation before every change'),
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

/** Defines `signalbox environments`, whose default is the list. */
export const environmentsRoutes = buildRouteMap<
  'list' | 'create' | 'update' | 'delete',
  CliContext
>({
  routes: {
    list,
    create,
    update: updateEnvironmentCommand,
    delete: deleteEnvironmentCommand,
  },
  defaultCommand: 'list',
  docs: { brief: 'List, create, change and delete environments' },
})
