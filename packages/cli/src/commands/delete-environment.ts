import { buildCommand } from '@stricli/core'
import { action, describe } from '../action.ts'
import type { Environment } from '../api/operations.ts'
import { type CliContext, type GlobalFlags, globalFlags, switchFlag } from '../cli-context.ts'
import { confirmChange } from '../confirm.ts'
import { type ConsentFlags, consentFlags, sendWithConsent } from '../consent.ts'
import type { Session } from '../session.ts'
import { openOrganization } from '../target.ts'
import { CliError } from '../terminal/cli-error.ts'
import { describeEnvironment, nameParameter } from './shown-environment.ts'

type DeleteFlags = GlobalFlags & ConsentFlags & { readonly force?: boolean | undefined }

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
  const typed = await confirmChange(session, {
    environment,
    confirmed: flags.confirm,
    question: `Delete the environment ${environment.name}${flags.force ? ' with all its values' : ''}?`,
    elsewhere: 'always',
  })
  try {
    await sendWithConsent(session, flags, typed, (consent) =>
      api.call('deleteEnvironment', {
        params: { org_id: organization.id, environment_id: environment.id },
        query: { force: flags.force === true, ...consent },
      }),
    )
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

export const deleteEnvironmentCommand = buildCommand<DeleteFlags, [string], CliContext>({
  func: action(deleteEnvironment),
  parameters: {
    flags: { ...globalFlags, force: switchFlag('Also when it holds values'), ...consentFlags },
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
