import process from 'node:process'
import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { type CliContext, type GlobalFlags, globalFlags } from '../../cli-context.ts'
import { type ActionInputs, readActionInputs } from '../../github/action-inputs.ts'
import { checkPullRequest, type PrintLine } from '../../github/check-pull-request.ts'
import { assertSafeEvent } from '../../github/pull-request.ts'
import { toShortLivedToken } from '../../github/short-lived-token.ts'
import { renderMasks } from '../../github/workflow-commands.ts'
import { readSecrets } from '../../values/read-secrets.ts'
import { type ChildEnd, runChild } from '../../run/run-child.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget } from '../../target.ts'

const say: PrintLine = (line) => process.stdout.write(`${line}\n`)

/** Prints the masks first, so that secrets that a program prints by mistake are not in the log. */
async function githubAction(session: Session): Promise<{ readonly exitWith: ChildEnd }> {
  const { env } = session
  // A missing input is an empty variable.
  for (const name of Object.keys(env)) if (env[name] === '') delete process.env[name]
  mask(env['SIGNALBOX_TOKEN'] ?? '')
  mask(env['INPUT_GITHUB_TOKEN'] ?? '')
  const inputs = readActionInputs(env)
  assertSafeEvent(env)
  if (inputs.token !== undefined) {
    const token = await toShortLivedToken(session, inputs.token)
    mask(token)
    // Child processes see the short-lived token.
    process.env['SIGNALBOX_TOKEN'] = token
  }
  delete process.env['INPUT_GITHUB_TOKEN']
  return { exitWith: await carryOut(session, inputs) }
}

async function carryOut(session: Session, inputs: ActionInputs): Promise<ChildEnd> {
  const { command, environment = '' } = inputs
  if (command === 'check' || command === 'diff') return checkPullRequest(session, inputs, say)
  if (command === 'push') {
    const checked = await checkPullRequest(session, { ...inputs, command: 'diff' }, say)
    return checked === 0 ? runSelf(session, pushArguments(inputs)) : checked
  }
  await maskSecrets(session, environment)
  const flags = ['--env', environment]
  if (command === 'pull') {
    const { format, output } = inputs
    const outputFlags = [
      ...(format === undefined ? [] : ['--format', format]),
      ...(output === undefined ? [] : ['--output', output]),
    ]
    return runSelf(session, ['pull', ...flags, '--yes', ...outputFlags])
  }
  const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', inputs.script ?? '']
  return runSelf(session, ['run', ...flags, '--', ...bash])
}

function pushArguments(inputs: ActionInputs): string[] {
  const { environment = '', allowBreaking, prune, confirm, reason } = inputs
  return [
    'push',
    '--env',
    environment,
    '--yes',
    ...(allowBreaking ? ['--allow-breaking'] : []),
    ...(prune ? ['--prune'] : []),
    ...(confirm === undefined ? [] : ['--confirm', confirm]),
    ...(reason === undefined ? [] : ['--comment', reason]),
  ]
}

async function maskSecrets(session: Session, environment: string): Promise<void> {
  const target = await openSchemaTarget(session, environment)
  const { secrets } = await readSecrets(session, [target])
  for (const { value } of secrets) mask(String(value))
}

function mask(secret: string): void {
  for (const line of renderMasks(secret)) say(line)
}

/** Runs another command of ours in a new process. */
function runSelf(session: Session, args: readonly string[]): Promise<ChildEnd> {
  const [, main = ''] = process.argv
  const { config } = session.flags
  const configArguments = config === undefined ? [] : ['--config', config]
  return runChild({
    command: process.execPath,
    args: [...process.execArgv, main, ...configArguments, ...args],
    env: process.env,
    cwd: session.cwd,
  })
}

/** Defines `signalbox github-action`, the one step of `action.yml`. */
export const githubActionCommand = buildCommand<GlobalFlags, [], CliContext>({
  func: action(githubAction),
  parameters: { flags: globalFlags },
  docs: {
    brief: 'Run a step of the GitHub Action',
    fullDescription: describe(
      'Reads its inputs from the variables that action.yml sets. Writes masks, annotations, a comment on the pull request, the job summary and outputs.',
      ['INPUT_COMMAND=check signalbox github-action'],
    ),
  },
})
