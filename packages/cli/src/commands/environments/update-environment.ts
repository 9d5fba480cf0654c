import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { Api } from '../../api/api.ts'
import type { Organization } from '../../api/operations.ts'
import {
  type CliContext,
  type GlobalFlags,
  globalFlags,
  switchFlag,
  textFlag,
} from '../../cli-context.ts'
import { confirmChange } from '../../changes/confirm.ts'
import {
  type ConfirmationFlags,
  confirmationFlags,
  sendConfirmed,
} from '../../changes/confirmation.ts'
import { findReached } from '../../changes/environment-descendants.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { describeEnvironment, nameParameter } from './describe-environment.ts'

type UpdateFlags = GlobalFlags &
  ConfirmationFlags & {
    readonly name?: string | undefined
    readonly description?: string | undefined
    readonly production?: boolean | undefined
    readonly askName?: boolean | undefined
    readonly askComment?: boolean | undefined
    readonly parent?: string | undefined
    readonly noParent?: boolean | undefined
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
    ...protectionChange(flags),
    ...(await parentChange(api, organization, flags)),
  }
  if (Object.keys(change).length === 0) {
    throw new CliError(
      'usage',
      'change_required',
      `Nothing to change in ${environment.name}: give a flag.`,
      {
        advice: 'signalbox environments update --help',
      },
    )
  }
  if (flags.dryRun) {
    output.document({ dryRun: true, environment, change })
    output.result(`Would change ${describeEnvironment(environment)}.`)
    return
  }
  const environments = await api.environments(organization.id)
  const typed = await confirmChange(session, {
    confirmed: flags.confirm,
    environment: findReached(environment, environments) ?? environment,
    question: `Change the environment ${environment.name}?`,
  })
  const updated = await sendConfirmed(session, flags, typed, (confirmation) =>
    api.call('updateEnvironment', {
      params: { org_id: organization.id, environment_id: environment.id },
      body: { ...change, ...confirmation },
    }),
  )
  output.document({ environment: updated })
  output.result(`${output.styles.green('✓')} Changed ${describeEnvironment(updated)}`)
  if (updated.name === environment.name) return
  output.warn(
    `What reads ${environment.name} by this name no longer finds it: programs, pipelines and .signalbox.json. Change the name there, or use the id ${environment.id}, which stays`,
  )
}

function protectionChange({ askName: confirm, askComment: comment }: UpdateFlags): {
  readonly protection?: { readonly confirm?: boolean; readonly comment?: boolean }
} {
  if (confirm === undefined && comment === undefined) return {}
  return {
    protection: {
      ...(confirm !== undefined && { confirm }),
      ...(comment !== undefined && { comment }),
    },
  }
}

async function parentChange(
  api: Api,
  organization: Organization,
  { parent, noParent }: UpdateFlags,
): Promise<{ readonly parentId?: string | null }> {
  if (parent !== undefined && noParent) {
    throw new CliError('usage', 'usage', 'Use --parent or --no-parent, not both.')
  }
  if (noParent) return { parentId: null }
  return parent === undefined
    ? {}
    : { parentId: (await api.environment(organization.id, parent)).id }
}

/** Defines `signalbox environments update`. */
export const updateEnvironmentCommand = buildCommand<UpdateFlags, [string], CliContext>({
  func: action(updateEnvironment),
  parameters: {
    flags: {
      ...globalFlags,
      name: textFlag('name', 'New name'),
      description: textFlag('text', 'Purpose of the environment'),
      production: {
        kind: 'boolean',
        optional: true,
        brief: 'Ask for a confirmation before every change, or stop asking',
      },
      askName: {
        kind: 'boolean',
        optional: true,
        brief: 'Require its name for every change, or stop requiring it',
      },
      askComment: {
        kind: 'boolean',
        optional: true,
        brief: 'Require a comment for every change, or stop requiring it',
      },
      ...confirmationFlags,
      parent: textFlag('name', 'Environment to inherit values from'),
      noParent: switchFlag('Inherit from no environment'),
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Change an environment',
    fullDescription: describe(
      'Changes only the given settings. A new parent changes the inherited values immediately.',
      [
        'signalbox environments update staging --parent development',
        'signalbox environments update live --name production --production',
        'signalbox environments update production --ask-name --ask-comment',
      ],
    ),
  },
})
