import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import type { Environment } from '../../api/operations.ts'
import { type CliContext, type GlobalFlags, globalFlags, switchFlag } from '../../cli-context.ts'
import { confirmChange } from '../../changes/confirm.ts'
import {
  type ConfirmationFlags,
  confirmationFlags,
  sendConfirmed,
} from '../../changes/confirmation.ts'
import type { Session } from '../../session.ts'
import { openOrganization } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { describeEnvironment, nameParameter } from './describe-environment.ts'

type DeleteFlags = GlobalFlags & ConfirmationFlags & { readonly force?: boolean | undefined }

async function deleteEnvironment(
  session: Session,
  flags: DeleteFlags,
  name: string,
): Promise<void> {
  const { api, organization } = await openOrganization(session)
  const { output } = session
  const environment = await api.environment(organization.id, name)
  assertNoDescendants(environment, await api.environments(organization.id))
  if (flags.dryRun) {
    output.document({ dryRun: true, environment })
    output.result(`Would delete ${describeEnvironment(environment)}.`)
    return
  }
  const typed = await confirmChange(session, {
    environment,
    confirmed: flags.confirm,
    question: `Delete the environment ${environment.name}${flags.force ? ' with all its values' : ''}?`,
    elsewhere: 'always',
  })
  try {
    await sendConfirmed(session, flags, typed, (confirmation) =>
      api.call('deleteEnvironment', {
        params: { org_id: organization.id, environment_id: environment.id },
        query: { force: flags.force === true, ...confirmation },
      }),
    )
  } catch (error) {
    if (flags.force || !isInUse(error)) throw error
    throw inUse(`The environment ${environment.name} has values.`, [
      'Repeat with --force to delete them too.',
    ])
  }
  output.document({ deleted: environment.name, id: environment.id })
  output.result(`${output.styles.green('✓')} Deleted the environment ${environment.name}`)
}

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

function isInUse(error: unknown): boolean {
  return error instanceof CliError && error.code === inUseCode
}

function inUse(message: string, advice: readonly string[]): CliError {
  return new CliError('conflict', inUseCode, message, { advice: advice.join('\n') })
}

/** Defines `signalbox environments delete`. */
export const deleteEnvironmentCommand = buildCommand<DeleteFlags, [string], CliContext>({
  func: action(deleteEnvironment),
  parameters: {
    flags: {
      ...globalFlags,
      force: switchFlag('Delete it even if it has values'),
      ...confirmationFlags,
    },
    positional: nameParameter,
  },
  docs: {
    brief: 'Delete an environment',
    fullDescription: describe(
      'Deletes an environment. If it has values, --force is required. If others inherit from it, it cannot be deleted.',
      ['signalbox environments delete preview-42 --yes'],
    ),
  },
})
