import { nearestName } from '@signalbox/contract'
import { UsageError, type Command, type CommandInput, type Terminal } from './command.ts'
import { explainFailure, renderFailure } from './explain-failure.ts'
import { readArguments } from './read-arguments.ts'
import { readSettings } from '../settings.ts'
import { serverVersion } from '../telemetry/version.ts'

interface Listed {
  readonly load: () => Promise<Command>
  /** Counts the words that it takes after its name. */
  readonly operands: 0 | 1 | 2
}

/** Loads each only when it is the one that runs: a service that was started has no use for the others. */
const commands: ReadonlyMap<string, Listed> = new Map<string, Listed>([
  ['start', { operands: 0, load: () => import('./start.ts').then((at) => at.startCommand) }],
  [
    'env',
    {
      operands: 0,
      load: () => import('./show-environment.ts').then((at) => at.showEnvironment),
    },
  ],
  [
    'migrate',
    {
      operands: 0,
      load: () => import('./migrate.ts').then((at) => at.migrateCommand),
    },
  ],
  ['export', { operands: 1, load: () => import('./export.ts').then((at) => at.exportCommand) }],
  ['import', { operands: 1, load: () => import('./import.ts').then((at) => at.importCommand) }],
  ['audit', { operands: 0, load: () => import('./list-audit.ts').then((at) => at.listAudit) }],
  [
    'verify-audit',
    { operands: 0, load: () => import('./verify-audit.ts').then((at) => at.verifyAudit) },
  ],
  [
    'reset-password',
    {
      operands: 1,
      load: () => import('./reset-password.ts').then((at) => at.resetPasswordCommand),
    },
  ],
  [
    'rotate-root-key',
    {
      operands: 0,
      load: () => import('./rotate-root-key.ts').then((at) => at.rotateRootKeyCommand),
    },
  ],
  [
    'publisher-keys',
    {
      operands: 1,
      load: () => import('./publisher-keys.ts').then((at) => at.publisherKeysCommand),
    },
  ],
  ['replica', { operands: 2, load: () => import('./replica.ts').then((at) => at.replicaCommand) }],
  [
    'nats-user',
    {
      operands: 2,
      load: () => import('./nats-user.ts').then((at) => at.natsUserCommand),
    },
  ],
])

const usage = `Usage: signalbox-server [command] [--json]

  start                    run the service (the default)
  migrate                  bring the database to this version, and end
  env                      every setting, where it comes from, its value (secrets masked)
  export <file>            everything but the root key, in one file
  import <file> [--force]  fill an empty database from an export; --force replaces what is there
  audit [--chain <id>] [--action <name>] [--limit <count>]
                           the newest audit events of the server's own chain, or of an organization's
  verify-audit             recompute the audit chains
  reset-password <email>   another password for somebody who has forgotten theirs
  rotate-root-key          replace the root key while the service runs
  publisher-keys [list | add | retire | new-epoch]
                           the keys that sign snapshots, which clients verify them with
  replica export <file>    what feeds a relay, in one file, for a network that reaches no upstream
  nats-user <group | publisher> <file>
                           a user of NATS: its seed in a file, its rights for nats-server's configuration
`

type Invocation = Pick<CommandInput, 'terminal' | 'variables' | 'releaseYoungGeneration'> & {
  /** Default: those of the process. */
  readonly args?: readonly string[]
}

/** Runs the command that the arguments name, and returns its exit code. Prints why it fails. */
export async function runCommand({
  args = process.argv.slice(2),
  ...from
}: Invocation): Promise<number> {
  try {
    return await runNamed(args, from)
  } catch (error) {
    const failure = explainFailure(error)
    from.terminal.err(renderFailure(failure, { json: args.includes('--json') }))
    return failure.exitCode
  }
}

async function runNamed(args: readonly string[], from: Omit<Invocation, 'args'>): Promise<number> {
  const { values, positionals } = readArguments(args)
  const [name = 'start', ...operands] = positionals
  if (values.version) return print(from.terminal, serverVersion)
  if (values.help) return print(from.terminal, usage)
  const command = commands.get(name)
  if (command === undefined) throw unknownCommand(name)
  const [surplus] = operands.slice(command.operands)
  if (surplus !== undefined) {
    throw new UsageError(`${name} does not take "${surplus}".`, 'signalbox-server --help')
  }
  const { json, force, ...events } = values
  const run = await command.load()
  const settings = () => readSettings(from.variables)
  return run({ ...from, settings, operands, json, force, events })
}

function unknownCommand(name: string): UsageError {
  const near = nearestName(name, commands.keys())
  const advice =
    near === undefined
      ? `Commands: ${[...commands.keys()].join(', ')}`
      : `Did you mean signalbox-server ${near}?`
  return new UsageError(`There is no command "${name}".`, advice)
}

function print(terminal: Terminal, text: string): number {
  terminal.out(text)
  return 0
}
