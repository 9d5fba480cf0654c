import { buildCommand } from '@stricli/core'
import { textsOf } from '@signalbox/contract'
import { describe } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import { type CliContext, type GlobalFlags, globalFlags } from '../../cli-context.ts'
import { type ActionInputs, readActionInputs } from '../../github/action-inputs.ts'
import { checkPullRequest } from '../../github/check-pull-request.ts'
import { assertSafeEvent } from '../../github/pull-request.ts'
import { toShortLivedToken } from '../../github/short-lived-token.ts'
import { renderMasks } from '../../github/workflow-commands.ts'
import { readSecrets } from '../../values/read-secrets.ts'
import { openSession, type Session } from '../../session.ts'
import { openSchemaTarget } from '../../target.ts'

type End = Awaited<ReturnType<CliContext['runOther']>>

/** Prints the masks first, so that secrets that a program prints by mistake are not in the log. */
async function githubAction(session: Session, runOther: CliContext['runOther']): Promise<End> {
  const { env } = session
  // A missing input is an empty variable.
  for (const name of Object.keys(env)) if (env[name] === '') delete env[name]
  mask(session, env['SIGNALBOX_TOKEN'] ?? '')
  mask(session, env['INPUT_GITHUB_TOKEN'] ?? '')
  const inputs = readActionInputs(env)
  assertSafeEvent(env)
  if (inputs.token !== undefined) {
    const token = await toShortLivedToken(session, inputs.token)
    mask(session, token)
    // Definitions and programs see the short-lived token.
    env['SIGNALBOX_TOKEN'] = token
  }
  delete env['INPUT_GITHUB_TOKEN']
  const checked = await checkFirst(session, inputs)
  const isCheck = inputs.command === 'check' || inputs.command === 'diff'
  if (isCheck ? !inputs.upload : checked !== 0) return checked
  const { config } = session.flags
  const globalArguments = [
    '--cwd',
    session.cwd,
    ...(config === undefined ? [] : ['--config', config]),
  ]
  const ended = await runOther([...globalArguments, ...(await argumentsFor(session, inputs))])
  return checked === 0 ? ended : checked
}

/** Checks the definition where the command does, or is about to push it. */
async function checkFirst(session: Session, inputs: ActionInputs): Promise<number> {
  const { command } = inputs
  if (command === 'check' || command === 'diff') return checkPullRequest(session, inputs)
  return command === 'push' ? checkPullRequest(session, { ...inputs, command: 'diff' }) : 0
}

async function argumentsFor(session: Session, inputs: ActionInputs): Promise<string[]> {
  const { command, environment = '' } = inputs
  if (command === 'push') return pushArguments(inputs)
  if (command === 'gate') return gateArguments(inputs)
  // The check beside the commit says what is missing.
  if (command === 'check' || command === 'diff') return ['check', '--upload', '--no-fail']
  await maskSecrets(session, environment)
  const flags = ['--env', environment]
  if (command === 'pull') {
    const { format, output } = inputs
    const outputFlags = [
      ...(format === undefined ? [] : ['--format', format]),
      ...(output === undefined ? [] : ['--output', output]),
    ]
    return ['pull', ...flags, '--yes', ...outputFlags]
  }
  const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', inputs.script ?? '']
  return ['run', ...flags, '--', ...bash]
}

function pushArguments(inputs: ActionInputs): string[] {
  const { environment = '', allowBreaking, prune, confirm, reason, request, wait } = inputs
  return [
    'push',
    '--env',
    environment,
    '--yes',
    ...(allowBreaking ? ['--allow-breaking'] : []),
    ...(prune ? ['--prune'] : []),
    ...(confirm === undefined ? [] : ['--confirm', confirm]),
    ...(reason === undefined ? [] : ['--comment', reason]),
    ...(request ? ['--request'] : []),
    ...(wait === undefined ? [] : ['--wait', wait]),
  ]
}

function gateArguments({ environment = '', wait, ifUnreachable }: ActionInputs): string[] {
  return [
    'gate',
    '--environment',
    environment,
    ...(wait === undefined ? [] : ['--wait', wait]),
    ...(ifUnreachable === undefined ? [] : ['--if-unreachable', ifUnreachable]),
  ]
}

async function maskSecrets(session: Session, environment: string): Promise<void> {
  const target = await openSchemaTarget(session, environment)
  const { secrets } = await readSecrets(session, [target])
  for (const { value } of secrets) for (const text of textsOf(value)) mask(session, text)
}

function mask({ output }: Session, secret: string): void {
  for (const line of renderMasks(secret)) output.raw(`${line}\n`)
}

/** Defines `signalbox github-action`, the one step of `action.yml`. */
export const githubActionCommand = buildCommand<GlobalFlags, [], CliContext>({
  async func(flags) {
    this.exitWith = await githubAction(openSession(flags, this.surroundings), this.runOther)
  },
  parameters: { flags: globalFlags },
  docs: {
    brief: briefs['github-action'],
    fullDescription: describe(
      'Reads its inputs from the variables that action.yml sets. Writes masks, annotations, a comment on the pull request, the job summary and outputs.',
      ['INPUT_COMMAND=check signalbox github-action'],
    ),
  },
})
