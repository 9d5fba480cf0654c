import { parseArgs } from 'node:util'
import { UsageError, type Command, type Terminal } from './commands/command.ts'
import { explainFailure, renderFailure } from './commands/explain-failure.ts'
import { readSettings } from './settings.ts'
import { serverVersion } from './version.ts'

interface Listed {
  readonly load: () => Promise<Command>
  /** How many words it takes after its name. */
  readonly operands: 0 | 1 | 2
}

/** Each is loaded when it is the one that runs: a service that was started has no use for the others. */
const commands: ReadonlyMap<string, Listed> = new Map<string, Listed>([
  [
    'start',
    { operands: 0, load: () => import('./commands/start.ts').then((at) => at.startCommand) },
  ],
  [
    'env',
    {
      operands: 0,
      load: () => import('./commands/show-environment.ts').then((at) => at.showEnvironment),
    },
  ],
  [
    'migrate',
    {
      operands: 0,
      load: () => import('./commands/migrate.ts').then((at) => at.migrateCommand),
    },
  ],
  [
    'export',
    { operands: 1, load: () => import('./commands/export.ts').then((at) => at.exportCommand) },
  ],
  [
    'import',
    { operands: 1, load: () => import('./commands/import.ts').then((at) => at.importCommand) },
  ],
  [
    'audit',
    { operands: 0, load: () => import('./commands/list-audit.ts').then((at) => at.listAudit) },
  ],
  [
    'verify-audit',
    { operands: 0, load: () => import('./commands/verify-audit.ts').then((at) => at.verifyAudit) },
  ],
  [
    'reset-password',
    {
      operands: 1,
      load: () => import('./commands/reset-password.ts').then((at) => at.resetPasswordCommand),
    },
  ],
  [
    'rotate-root-key',
    {
      operands: 0,
      load: () => import('./commands/rotate-root-key.ts').then((at) => at.rotateRootKeyCommand),
    },
  ],
  [
    'publisher-keys',
    {
      operands: 1,
      load: () => import('./commands/publisher-keys.ts').then((at) => at.publisherKeysCommand),
    },
  ],
  [
    'replica',
    { operands: 2, load: () => import('./commands/replica.ts').then((at) => at.replicaCommand) },
  ],
  [
    'nats-user',
    {
      operands: 2,
      load: () => import('./commands/nats-user.ts').then((at) => at.natsUserCommand),
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

const terminal: Terminal = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  isTerminal: process.stdout.isTTY,
}

// The reader of the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

async function runCommand(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      chain: { type: 'string' },
      action: { type: 'string' },
      limit: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', default: false },
    },
  })
  const [name = 'start', ...operands] = positionals
  if (values.version) return print(serverVersion)
  if (values.help) return print(usage)
  const command = commands.get(name)
  const advice = 'signalbox-server --help'
  if (command === undefined) throw new UsageError(`There is no command "${name}".`, advice)
  const [surplus] = operands.slice(command.operands)
  if (surplus !== undefined) throw new UsageError(`${name} does not take "${surplus}".`, advice)
  const { json, force, ...events } = values
  const run = await command.load()
  return run({ settings: () => readSettings(), operands, json, force, events, terminal })
}

function print(text: string): number {
  terminal.out(text)
  return 0
}

try {
  process.exitCode = await runCommand()
} catch (error) {
  const failure = explainFailure(error)
  terminal.err(renderFailure(failure, { json: process.argv.includes('--json') }))
  process.exitCode = failure.exitCode
}
