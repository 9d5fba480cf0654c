import { CliError } from '../terminal/cli-error.ts'

type Variables = Readonly<Partial<Record<string, string>>>

const actionCommands = ['check', 'diff', 'push', 'pull', 'run', 'gate'] as const
/** Names a command that the GitHub Action runs. */
export type ActionCommand = (typeof actionCommands)[number]

/** Holds the inputs of `action.yml`, which its one step passes as variables. */
export interface ActionInputs {
  readonly command: ActionCommand
  /** Names the environments, separated by commas, or `all`. The others take one name. */
  readonly environment: string | undefined
  /** Holds the token. Absent for a pull request of a fork and for Dependabot, which get no secrets, or by mistake. */
  readonly token: string | undefined
  readonly githubToken: string | undefined
  readonly comments: boolean
  /** Sends the definition of the commit too, for the check beside it. */
  readonly upload: boolean
  /** Fails the check also where a required key has no value. */
  readonly complete: boolean
  readonly allowBreaking: boolean
  readonly prune: boolean
  /** Names the protected environments, separated by commas. */
  readonly confirm: string | undefined
  /** Holds the comment for protected environments and the history. */
  readonly reason: string | undefined
  /** Asks for the change where people must approve it. */
  readonly request: boolean
  /** Says how long to wait for the approval, or at the gate. Example: `30m`. */
  readonly wait: string | undefined
  /** Says what becomes of a deployment while the server does not answer. */
  readonly ifUnreachable: string | undefined
  readonly format: string | undefined
  readonly output: string | undefined
  /** Holds the script of `run`: lines for bash. */
  readonly script: string | undefined
}

/** Reads the inputs of the action. @throws {CliError} `wrong_input` */
export function readActionInputs(env: Variables): ActionInputs {
  const text = (name: string) => env[`INPUT_${name}`]?.trim() || undefined
  const inputs = {
    command: commandOf(text('COMMAND') ?? 'check'),
    environment: text('ENVIRONMENT'),
    token: env['SIGNALBOX_TOKEN']?.trim() || undefined,
    githubToken: text('GITHUB_TOKEN'),
    comments: isOn('comment', text('COMMENT') ?? 'true'),
    upload: isOn('upload', text('UPLOAD')),
    complete: isOn('complete', text('COMPLETE')),
    allowBreaking: isOn('allow-breaking', text('ALLOW_BREAKING')),
    prune: isOn('prune', text('PRUNE')),
    confirm: text('CONFIRM'),
    reason: text('REASON'),
    request: isOn('request', text('REQUEST')),
    wait: text('WAIT'),
    ifUnreachable: text('IF_UNREACHABLE'),
    format: text('FORMAT'),
    output: text('OUTPUT'),
    script: text('RUN'),
  }
  assertSufficient(inputs)
  return inputs
}

function commandOf(input: string): ActionCommand {
  const command = actionCommands.find((each) => each === input)
  if (command !== undefined) return command
  throw wrongInput(`command: "${input}" is not one of ${actionCommands.join(', ')}`)
}

function assertSufficient({ command, environment, token, script }: ActionInputs): void {
  if (command === 'check' || command === 'diff') return
  if (environment === undefined || environment === 'all' || environment.includes(',')) {
    throw wrongInput(`environment: ${command} needs the name of an environment`)
  }
  if (command === 'gate') return
  if (token === undefined) throw wrongInput(`token: ${command} needs a token`)
  if (command === 'run' && script === undefined)
    throw wrongInput('run: the lines to run are missing')
}

function isOn(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  throw wrongInput(`${name}: "${text}" is neither true nor false`)
}

function wrongInput(what: string): CliError {
  return new CliError('usage', 'wrong_input', `An input of the action is wrong. ${what}.`)
}
